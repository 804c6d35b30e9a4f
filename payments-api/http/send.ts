// What an operation asks, put into HTTP: address, headers, the connection's rate limit.
import { createTransport } from './transport.js';
import { exchange, withoutSecrets } from './exchange.js';
import { PaymentsApiError } from '../errors.js';
import { formOf } from './form.js';
import { pauseMs } from './headers.js';
import type { Budget } from '../rate/budget.js';
import type { Exchange, Reply } from './exchange.js';
import type { FormFile } from './form.js';
import type { Transport } from './transport.js';

const USER_AGENT = 'payto-agreements';
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** One caller's call: the token to use, and the signal by which the caller aborts. */
export interface Call {
  accessToken: string;
  signal?: AbortSignal | undefined;
  /** Whose budget the call uses (budget.ts); calls without one are not limited. */
  connectionId?: string | undefined;
  /** Who comes back where the budget has no room, and what the call is a part of (rate/queue.ts). */
  queueAs?: { holder: string; work: object } | undefined;
  /** Awaited right before anything but a GET leaves, once the rate limit lets it go: where it throws, nothing has been sent. */
  beforeWrite?: (() => Promise<void>) | undefined;
}

/** What an operation puts to the provider. `path` begins with `/` and is built from validated uids (requests/checked.ts). */
export interface Question {
  /** Our name of the operation, for messages. */
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
  /** Scheme, host and perhaps a path: the only place that calls ever go to. */
  baseUrl: string;
  /** 8 digits, sent with every call (docs/provider.md#versions: without it an account can refuse everything). */
  version: string;
  versionHeader: string;
  /** In place of our own transport. */
  fetch?: Transport;
  /** Our clock, for what is received and for Retry-After dates. */
  now?: () => Date;
  /** For one call from its connection to its last byte: 20 s. The wait in the queue comes before it. */
  limitMs?: number;
  /** Shared by every call of this process; without one nothing is limited. */
  budget?: Budget;
}

/**
 * Sends one call and brings back the whole answer, good or bad.
 * @throws PaymentsApiError `unavailable` when no whole answer came within 20 s, `malformed` past 1 MiB. Nothing was sent
 *   where it is `unauthorised` (an access token that cannot stand in a header) or `rate_limited` (budget.ts).
 */
export function createSend(options: HttpOptions): Send {
  const { version, versionHeader, limitMs, budget, now = () => new Date() } = options;
  const transport = options.fetch ?? createTransport();
  const base = options.baseUrl.replace(/\/+$/, '');
  const status = { [versionHeader]: version, accept: 'application/json', 'user-agent': USER_AGENT };

  return async (question, call) => {
    const { name, path, query } = question;
    const { accessToken, connectionId, signal, queueAs, beforeWrite } = call;
    const request = requestOf(question, accessToken, status);
    const url = `${base}${path}${query ? `?${query}` : ''}`;
    if (connectionId !== undefined)
      await budget?.acquire(connectionId, { operation: name, signal, ...queueAs });
    if (question.method !== 'GET') await beforeWrite?.();
    const reply = await exchange({ operation: name, url, request, signal, transport, limitMs });
    if (connectionId !== undefined) budget?.pause(connectionId, pauseMs(reply, now().getTime()));
    return withoutSecrets(reply, [accessToken]);
  };
}

function requestOf(
  { name, method, body, file }: Question,
  accessToken: string,
  commonHeaders: Record<string, string>,
): Exchange['request'] {
  if (!VISIBLE_ASCII.test(accessToken)) {
    throw new PaymentsApiError(
      'unauthorised',
      `${name}: expected an access token of visible ASCII; met another`,
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
