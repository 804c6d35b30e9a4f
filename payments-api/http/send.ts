// Sends an operation over HTTP: address, headers, and the connection's rate limit.
import { randomUUID } from 'node:crypto';
import { createTransport, type Transport } from './transport.js';
import { exchange, withoutSecrets, type Exchange, type Reply } from './exchange.js';
import { PaymentsApiError } from '../errors.js';
import { pauseMs } from './headers.js';
import type { Budget } from '../rate/budget.js';
import type { Admission } from '../rate/waiting.js';

const USER_AGENT = 'payto-agreements';
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** The context of one call: its token, and the caller's abort signal. */
export interface Call {
  accessToken: string;
  signal?: AbortSignal | undefined;
  /** The connection whose budget the call uses (budget.ts). Calls without one are not limited. */
  connectionId?: string | undefined;
  /** `holder` is the caller that returns later if the budget is exhausted, `work` what the call belongs to (rate/queue.ts). */
  queueAs?: Pick<Admission, 'holder' | 'work' | 'share'> | undefined;
  /** Awaited right before the first byte of a write, when the rate limit has admitted it and the connection stands. If it throws, nothing was sent. */
  beforeWrite?: (() => Promise<void>) | undefined;
}

/** A file to upload. The name must not contain quotes or line breaks: it is written into a header. */
interface FormFile {
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** A request to the provider. `path` starts with `/` and contains only validated uids (requests/checked.ts). */
export interface Question {
  /** Our name for the operation, for messages. */
  name: string;
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  query?: string | undefined;
  body?: unknown;
  /** Sent as a form instead of a JSON body. */
  file?: FormFile | undefined;
}

export type Send = (question: Question, call: Call) => Promise<Reply>;

export interface HttpOptions {
  /** Scheme, host and optional path. All calls go here. */
  baseUrl: string;
  /** 8 digits, sent with every call (docs/provider.md#versions: an account may refuse calls without it). */
  version: string;
  versionHeader: string;
  /** Replaces our own transport. */
  fetch?: Transport;
  /** Our clock, for reception times and Retry-After dates. */
  now?: () => Date;
  /** The limit of one call, from connecting to the last byte. Default: 20 s. It excludes the wait in the queue. */
  limitMs?: number;
  /** Shared by all calls of this process. Without it, no call is limited. */
  budget?: Budget;
}

/**
 * Sends one call and returns the complete answer, of any status.
 * @throws PaymentsApiError `unavailable` if no complete answer arrived within 20 s, `malformed` above 1 MiB. Nothing was sent
 *   for `unauthorised` (the access token is not valid in a header) and `rate_limited` (budget.ts).
 */
export function createSend(options: HttpOptions): Send {
  const { version, versionHeader, limitMs, budget, now = () => new Date() } = options;
  const transport = options.fetch ?? createTransport();
  const base = options.baseUrl.replace(/(?<!\/)\/+$/, '');
  const status = { [versionHeader]: version, accept: 'application/json', 'user-agent': USER_AGENT };

  return async (question, call) => {
    const { name, path, query } = question;
    const { accessToken, connectionId, signal, queueAs, beforeWrite } = call;
    const request = requestOf(question, accessToken, status);
    const url = `${base}${path}${query ? `?${query}` : ''}`;
    if (connectionId !== undefined)
      await budget?.acquire(connectionId, { operation: name, signal, ...queueAs });
    const prepared = question.method === 'GET' ? undefined : preparedBy(beforeWrite);
    const outgoing = { ...request, beforeBytes: prepared?.beforeBytes };
    const reply = await exchange({
      operation: name,
      url,
      request: outgoing,
      signal,
      transport,
      limitMs,
    }).catch((error: unknown) => {
      throw prepared?.refusal() ?? error;
    });
    if (connectionId !== undefined) budget?.pause(connectionId, pauseMs(reply, now().getTime()));
    return withoutSecrets(reply, [accessToken]);
  };
}

/** Keeps the error of `beforeWrite`, which the exchange would report as a lost connection. */
function preparedBy(
  beforeWrite: Call['beforeWrite'],
): { beforeBytes: () => Promise<void>; refusal: () => unknown } | undefined {
  if (beforeWrite === undefined) return undefined;
  let refusal: unknown;
  const beforeBytes = (): Promise<void> =>
    beforeWrite().catch((error: unknown) => {
      refusal = error;
      throw error;
    });
  return { beforeBytes, refusal: () => refusal };
}

function requestOf(
  { name, method, body, file }: Question,
  accessToken: string,
  commonHeaders: Record<string, string>,
): Exchange['request'] {
  if (!VISIBLE_ASCII.test(accessToken)) {
    throw new PaymentsApiError(
      'unauthorised',
      `${name}: expected an access token of visible ASCII characters; received another. Obtain a new token`,
    );
  }
  const headers = { ...commonHeaders, authorization: `Bearer ${accessToken}` };
  if (file !== undefined) {
    const form = formOf(file);
    return { method, headers: { ...headers, 'content-type': form.type }, body: form.bytes };
  }
  if (body === undefined) return { method, headers };
  return {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** A multipart/form-data body (RFC 7578) with one part, named `file`. The provider documents no name. */
function formOf({ name, type, bytes }: FormFile): { type: string; bytes: Uint8Array<ArrayBuffer> } {
  const boundary = randomUUID();
  const head = [
    `--${boundary}`,
    `content-disposition: form-data; name="file"; filename="${name}"`,
    `content-type: ${type}`,
  ];
  const parts = [`${head.join('\r\n')}\r\n\r\n`, bytes, `\r\n--${boundary}--\r\n`];
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
  };
}
