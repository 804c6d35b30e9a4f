// One request and its complete answer, within limits that no server can extend.
import { PaymentsApiError } from '../errors.js';
import type { AnswerHeaders, Incoming, Outgoing, Transport } from './transport.js';

const LIMIT_MS = 20_000;
/** Time for a process that was paused to read answers that arrived during the pause. */
const LONGEST_GRACE_MS = 1000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** A complete answer, of any status. */
export interface Reply {
  status: number;
  headers: AnswerHeaders;
  body: Uint8Array;
}

export interface Exchange {
  /** Our name for the operation, for messages. */
  operation: string;
  url: string;
  request: Pick<Outgoing, 'method' | 'headers' | 'body' | 'beforeBytes'>;
  /** The caller's abort signal. */
  signal?: AbortSignal | undefined;
  transport: Transport;
  /** The size limit of the answer after decompression. Default: 1 MiB. */
  maxBytes?: number | undefined;
  /** Takes the parts of the answer as they arrive. The body of the reply is then empty. */
  take?: ((part: Uint8Array) => void) | undefined;
  /**
   * The limit for the whole exchange, from connecting to the last byte of the answer. Default: 20 s.
   * If our process was paused or busy at the deadline, it gets up to one more second, once, to read an answer that arrived.
   */
  limitMs?: number | undefined;
}

/**
 * Follows no redirects. Allows 20 s in total and 1 MiB after decompression unless given.
 * @throws PaymentsApiError `unavailable` if no complete answer arrived, `malformed` if it exceeds the size limit.
 *   Neither quotes the request or the answer.
 */
export function exchange(requested: Exchange): Promise<Reply> {
  const { operation, signal: caller, limitMs = LIMIT_MS } = requested;
  const expected = `${operation}: expected a complete answer within ${limitMs / 1000} s`;
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const finish = (): void => {
      cancelTimer();
      caller?.removeEventListener('abort', abort);
    };
    // Reject before aborting: a transport that does not stop must not extend the limit.
    const fail = (why: PaymentsApiError): void => {
      finish();
      reject(why);
      stop.abort();
    };
    const abort = (): void => fail(unanswered(expected, 'the caller aborted', caller?.reason));
    const cancelTimer = afterRunningFor(limitMs, () => fail(unanswered(expected, 'none arrived')));
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
 * Timers run before sockets. When a paused process resumes, its timer fires before it reads an answer that arrived earlier.
 * A timer that fires late is therefore set a second time.
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
  { operation, url, request, transport, maxBytes = MAX_ANSWER_BYTES, take }: Exchange,
  signal: AbortSignal,
): Promise<Reply> {
  const incoming = await transport(url, { ...request, redirect: 'manual', signal });
  const { status, headers } = incoming;
  return { status, headers, body: await bodyOf(operation, incoming, { maxBytes, take }) };
}

async function bodyOf(
  operation: string,
  { status, body }: Incoming,
  { maxBytes, take }: { maxBytes: number; take: Exchange['take'] },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop closes the connection, so the rest is never read.
    if (length > maxBytes) throw tooLong(operation, status, maxBytes);
    if (take === undefined) chunks.push(chunk);
    else take(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLong(operation: string, status: number, maxBytes: number): PaymentsApiError {
  const most = `${maxBytes / (1024 * 1024)} MiB`;
  const message = `${operation}: expected an answer of at most ${most}; received a longer one`;
  return new PaymentsApiError('malformed', message, { status });
}

const unanswered = (expected: string, met: string, cause?: unknown): PaymentsApiError =>
  new PaymentsApiError('unavailable', `${expected}; ${met}`, { cause });

/** Errors of the HTTP and gzip parsers: an answer arrived but was unreadable. */
const GARBLED = /^(?:HPE|Z)_/;

function broken(expected: string, error: unknown): PaymentsApiError {
  const what = nameOf(error);
  // Do not pass on the original error as the cause: it may quote received bytes.
  const cause = new Error(what);
  if (!GARBLED.test(what)) return unanswered(expected, `the connection failed (${what})`, cause);
  return new PaymentsApiError('malformed', `${expected}; received an unreadable one (${what})`, { cause });
}

/** The most specific name that the error carries, as in `ECONNREFUSED`. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const inner = error.cause instanceof Error ? error.cause : error;
  return 'code' in inner && typeof inner.code === 'string' ? inner.code : inner.name;
}

const INSTEAD = '[secret]';
/** A shorter value is an ordinary word rather than a secret; masking it would damage a useful answer. */
const SHORTEST_SECRET = 8;

/**
 * Masks our secrets in the headers and body of a refusal that repeats them, because parts of a refusal enter messages and histories.
 * A 2xx answer is unchanged: no part of it is shown, and it may legitimately repeat the refresh token.
 * @param secrets the secrets in the request: ASCII, as sent.
 */
export function withoutSecrets(reply: Reply, secrets: readonly string[]): Reply {
  const { status, headers, body } = reply;
  if (status >= 200 && status < 300) return reply;
  const blanked = (text: string): string =>
    secrets
      .filter(({ length }) => length >= SHORTEST_SECRET)
      .reduce((rest, secret) => rest.replaceAll(secret, INSTEAD), text);
  // latin1 maps each byte to one character, so all other bytes are preserved.
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return {
    status,
    headers: { get: (name) => blanked(headers.get(name) ?? '') || null },
    body: Buffer.from(blanked(bytes.toString('latin1')), 'latin1'),
  };
}
