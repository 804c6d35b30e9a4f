// One request and the whole of its answer, within limits that no server can stretch.
import { PaymentsApiError } from '../errors.js';
import type { AnswerHeaders, Incoming, Outgoing, Transport } from './transport.js';

const LIMIT_MS = 20_000;
/** What a process that stood still is given to read what had come in meanwhile. */
const LONGEST_GRACE_MS = 1000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** A whole answer, whatever it says. */
export interface Reply {
  status: number;
  headers: AnswerHeaders;
  body: Uint8Array;
}

export interface Exchange {
  /** Our name of the operation, for messages. */
  operation: string;
  url: string;
  request: Pick<Outgoing, 'method' | 'headers' | 'body'>;
  /** By which the caller aborts. */
  signal?: AbortSignal | undefined;
  transport: Transport;
  /** The longest answer that is read, unpacked: 1 MiB. */
  maxBytes?: number | undefined;
  /**
   * For the whole exchange, 20 s: connecting, sending, and the answer to its last byte. Where our own process stands still at
   * its end (stopped, or busy), that is made good once, by a second at the most: an answer that is here already counts.
   */
  limitMs?: number | undefined;
}

/**
 * No redirect followed, 20 s for everything and 1 MiB at most unless given, counted once it is unpacked.
 * @throws PaymentsApiError `unavailable` when no whole answer came, `malformed` past the longest answer. Neither quotes what was
 *   sent or what came.
 */
export function exchange(requested: Exchange): Promise<Reply> {
  const { operation, signal: caller, limitMs = LIMIT_MS } = requested;
  const expected = `${operation}: expected a whole answer within ${limitMs / 1000} s`;
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const finish = (): void => {
      cancelTimer();
      caller?.removeEventListener('abort', abort);
    };
    // The caller is answered first, then the transport aborted: however it stops, or does not, it cannot stretch the limit.
    const fail = (why: PaymentsApiError): void => {
      finish();
      reject(why);
      stop.abort();
    };
    const abort = (): void => fail(unanswered(expected, 'the caller aborting', caller?.reason));
    const cancelTimer = afterRunningFor(limitMs, () => fail(unanswered(expected, 'none')));
    caller?.addEventListener('abort', abort, { once: true });
    if (caller?.aborted) return abort();
    wholeAnswer(requested, stop.signal).then(
      (reply) => {
        finish();
        resolve(reply);
      },
      (error: unknown) => fail(error instanceof PaymentsApiError ? error : broken(expected, error)),
    );
  });
}

/**
 * Timers run before sockets: when a process that stood still resumes, its timer fires before an answer that arrived long ago is
 * read. So a timer that fires late is set once more.
 */
function afterRunningFor(limitMs: number, work: () => void): () => void {
  const dueMs = performance.now() + limitMs;
  let timer = setTimeout(() => {
    const lateMs = performance.now() - dueMs;
    if (lateMs < 1) return work();
    timer = setTimeout(work, Math.min(lateMs, LONGEST_GRACE_MS));
  }, limitMs);
  return () => clearTimeout(timer);
}

async function wholeAnswer(
  { operation, url, request, transport, maxBytes = MAX_ANSWER_BYTES }: Exchange,
  signal: AbortSignal,
): Promise<Reply> {
  const incoming = await transport(url, { ...request, redirect: 'manual', signal });
  const { status, headers } = incoming;
  return { status, headers, body: await bodyOf(operation, incoming, maxBytes) };
}

async function bodyOf(operation: string, { status, body }: Incoming, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop hangs up, so the rest is never read.
    if (length > maxBytes) throw tooLong(operation, status, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLong(operation: string, status: number, maxBytes: number): PaymentsApiError {
  const most = `${maxBytes / (1024 * 1024)} MiB`;
  const message = `${operation}: expected an answer of at most ${most}; met a longer one`;
  return new PaymentsApiError('malformed', message, { status });
}

const unanswered = (expected: string, met: string, cause?: unknown): PaymentsApiError =>
  new PaymentsApiError('unavailable', `${expected}; met ${met}`, { cause });

/** What the parsers of HTTP and of gzip cannot make out: an answer did come. */
const GARBLED = /^(?:HPE|Z)_/;

function broken(expected: string, error: unknown): PaymentsApiError {
  const what = nameOf(error);
  // Not the original as the cause: it may quote the bytes that came.
  const cause = new Error(what);
  if (!GARBLED.test(what)) return unanswered(expected, `a failed connection (${what})`, cause);
  return new PaymentsApiError('malformed', `${expected}; met one that is garbled (${what})`, { cause });
}

/** The most specific name that the error carries, as in `ECONNREFUSED`. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const inner = error.cause instanceof Error ? error.cause : error;
  return 'code' in inner && typeof inner.code === 'string' ? inner.code : inner.name;
}

const INSTEAD = '[secret]';
/** A shorter one is a word rather than a secret, and blanking it out would spoil a good answer. */
const SHORTEST_SECRET = 8;

/**
 * The same answer, with each secret that we sent blanked out of headers and body: parts of a refusal go into messages and
 * histories. A good answer is left as it is: no part of it is ever shown, and it may rightly repeat the refresh token.
 * @param secrets ASCII, as they were sent.
 */
export function withoutSecrets(reply: Reply, secrets: readonly string[]): Reply {
  const { status, headers, body } = reply;
  if (status >= 200 && status < 300) return reply;
  const blanked = (text: string): string =>
    secrets
      .filter(({ length }) => length >= SHORTEST_SECRET)
      .reduce((rest, secret) => rest.replaceAll(secret, INSTEAD), text);
  // latin1 is one character for one byte, so that whatever else is in the body comes through unchanged.
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return {
    status,
    headers: { get: (name) => blanked(headers.get(name) ?? '') || null },
    body: Buffer.from(blanked(bytes.toString('latin1')), 'latin1'),
  };
}
