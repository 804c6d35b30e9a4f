// One request and the whole of its answer, over Node's fetch, within limits that no server can stretch.
// In:  payments-api/http.ts and oauth.ts say what to send.
// Out: the provider. What comes back is a Reply that nobody has judged yet (judge.ts).
import { PaymentsApiError } from './errors.js';
import type { ReadableStream } from 'node:stream/web';

const LIMIT_MS = 20_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** A whole answer, whatever it says. */
export interface Reply {
  status: number;
  headers: Headers;
  body: Uint8Array;
}

export interface Exchange {
  /** Our name of the operation, for messages. */
  operation: string;
  url: string;
  request: Pick<RequestInit, 'method' | 'headers' | 'body'>;
  /** By which the caller gives up. */
  signal?: AbortSignal | undefined;
  fetch?: typeof fetch | undefined;
  /** For the whole exchange, 20 s: connecting, sending, and the answer to its last byte. */
  limitMs?: number | undefined;
}

/**
 * No redirect followed, 20 s for everything, 1 MiB at most, counted once inflated. (A 421 makes fetch itself ask a second
 * time: it says that nothing was done.)
 * @throws PaymentsApiError `unavailable` when no whole answer came, `malformed` past 1 MiB. Neither quotes what was
 *   sent or what came.
 */
export function exchange(asked: Exchange): Promise<Reply> {
  const { operation, signal: caller, limitMs = LIMIT_MS } = asked;
  const expected = `${operation}: expected a whole answer within ${limitMs / 1000} s`;
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const finish = (): void => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', giveUp);
    };
    // Told here and not by fetch: a body that claims to be gzip and is not leaves it waiting for ever, signal or no signal.
    const hangUp = (why: PaymentsApiError): void => {
      finish();
      reject(why);
      stop.abort();
    };
    const giveUp = (): void => hangUp(unanswered(expected, 'the caller giving up', caller?.reason));
    const timer = setTimeout(() => hangUp(unanswered(expected, 'none')), limitMs);
    caller?.addEventListener('abort', giveUp, { once: true });
    if (caller?.aborted) return giveUp();
    wholeAnswer(asked, stop.signal).then(
      (reply) => {
        finish();
        resolve(reply);
      },
      (error: unknown) => hangUp(error instanceof PaymentsApiError ? error : broken(expected, error)),
    );
  });
}

async function wholeAnswer(
  { operation, url, request, fetch: doFetch = fetch }: Exchange,
  signal: AbortSignal,
): Promise<Reply> {
  const response = await doFetch(url, { ...request, redirect: 'manual', signal });
  const { status, headers } = response;
  return { status, headers, body: await bodyOf(operation, response) };
}

async function bodyOf(operation: string, { status, body }: Response): Promise<Uint8Array> {
  const stream: ReadableStream<Uint8Array> | null = body;
  const reader = stream?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    length += value.byteLength;
    if (length > MAX_ANSWER_BYTES) throw tooLong(operation, status);
    chunks.push(value);
  }
}

const tooLong = (operation: string, status: number): PaymentsApiError =>
  new PaymentsApiError('malformed', `${operation}: expected an answer of at most 1 MiB; met a longer one`, {
    status,
  });

const unanswered = (expected: string, met: string, cause?: unknown): PaymentsApiError =>
  new PaymentsApiError('unavailable', `${expected}; met ${met}`, { cause });

function broken(expected: string, error: unknown): PaymentsApiError {
  const what = nameOf(error);
  // Not the original as the cause: it may quote the bytes that came.
  return unanswered(expected, `a failed connection (${what})`, new Error(what));
}

/** The most specific name that fetch's error carries, as in `ECONNREFUSED`. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const inner = error.cause instanceof Error ? error.cause : error;
  return 'code' in inner && typeof inner.code === 'string' ? inner.code : inner.name;
}
