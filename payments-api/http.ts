// In:  payments-api/client.ts asks an operation; payments-api/oauth.ts asks for tokens.
// Out: the provider, over Node's fetch. What comes back is a Reply that nobody has judged yet (judge.ts).
import { PaymentsApiError } from './errors.js';

const LIMIT_MS = 20_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
const USER_AGENT = 'payto-agreements';
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** One call as it was made by somebody: their token, and the signal by which they give up. */
export interface Call {
  accessToken: string;
  signal?: AbortSignal | undefined;
}

/** What an operation puts to the provider. `path` begins with `/` and is built from validated uids (uid.ts). */
export interface Question {
  /** Our name of the operation, for messages. */
  name: string;
  method: 'GET' | 'POST';
  path: string;
  query?: string | undefined;
  body?: unknown;
}

/** A whole answer, whatever it says. */
export interface Reply {
  status: number;
  headers: Headers;
  body: Uint8Array;
}

export type Send = (question: Question, call: Call) => Promise<Reply>;

export interface HttpOptions {
  /** Scheme, host and perhaps a path: the only place that calls ever go to. */
  baseUrl: string;
  /** 8 digits, sent with every call (facts 2: without it an account can refuse everything). */
  version: string;
  versionHeader: string;
  fetch?: typeof fetch;
}

/**
 * Sends one call and brings back the whole answer, good or bad.
 * @throws PaymentsApiError `unavailable` when no whole answer came within 20 s, `malformed` past 1 MiB,
 *   `unauthorised` for an access token that cannot stand in a header (nothing is sent then).
 */
export function createSend({ baseUrl, version, versionHeader, fetch: doFetch = fetch }: HttpOptions): Send {
  const base = baseUrl.replace(/\/+$/, '');
  return async (question, call) => {
    const { name, method, path, query, body } = question;
    if (!VISIBLE_ASCII.test(call.accessToken)) {
      throw new PaymentsApiError(
        'unauthorised',
        `${name}: expected an access token of visible ASCII; met another`,
      );
    }
    const headers: Record<string, string> = {
      authorization: `Bearer ${call.accessToken}`,
      [versionHeader]: version,
      accept: 'application/json',
      'user-agent': USER_AGENT,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const url = `${base}${path}${query ? `?${query}` : ''}`;
    const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return exchange(name, doFetch, url, request, call.signal);
  };
}

/**
 * One request, one whole answer: no redirect followed, 20 s for everything, 1 MiB at most.
 * @throws PaymentsApiError `unavailable` or `malformed`, as createSend says.
 */
export async function exchange(
  operation: string,
  doFetch: typeof fetch,
  url: string,
  request: RequestInit,
  callerSignal?: AbortSignal,
): Promise<Reply> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), LIMIT_MS);
  const signal = callerSignal ? AbortSignal.any([callerSignal, limit.signal]) : limit.signal;
  try {
    const response = await doFetch(url, { ...request, redirect: 'manual', signal });
    return { status: response.status, headers: response.headers, body: await readWhole(operation, response) };
  } catch (error) {
    if (error instanceof PaymentsApiError) throw error;
    throw unanswered(operation, error, limit.signal, callerSignal);
  } finally {
    clearTimeout(timer);
  }
}

async function readWhole(operation: string, response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stream: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of stream ?? []) {
    length += chunk.byteLength;
    if (length > MAX_ANSWER_BYTES) {
      // Leaving the loop cancels the stream, so the rest is never read.
      throw new PaymentsApiError(
        'malformed',
        `${operation}: expected an answer of at most 1 MiB; met a longer one`,
        {
          status: response.status,
        },
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function unanswered(
  operation: string,
  error: unknown,
  limit: AbortSignal,
  caller?: AbortSignal,
): PaymentsApiError {
  const expected = `${operation}: expected a whole answer within ${LIMIT_MS / 1000} s`;
  if (caller?.aborted) {
    return new PaymentsApiError('unavailable', `${expected}; met the caller giving up`, {
      cause: caller.reason,
    });
  }
  if (limit.aborted) return new PaymentsApiError('unavailable', `${expected}; met none`);
  const what = nameOf(error);
  return new PaymentsApiError('unavailable', `${expected}; met a failed connection (${what})`, {
    cause: new Error(what), // the original may quote the bytes that came
  });
}

/** The most specific name that fetch's error carries, as in `ECONNREFUSED`. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const inner = error.cause instanceof Error ? error.cause : error;
  return 'code' in inner && typeof inner.code === 'string' ? inner.code : inner.name;
}
