// Sends one webhook: signed, to a checked address, without redirects, within ten seconds.
import http from 'node:http';
import https from 'node:https';
import { Webhook } from 'standardwebhooks';
import { ipOf, isPrivateAddress } from '../../delivery/webhook-address.js';
import { createNameLookup, type NameLookupOptions } from './name-lookup.js';
import { NotSent } from './not-sent.js';
import type { WebhookAnswer, WebhookProblem } from '../../domain/records/webhooks.js';

export interface Sending {
  url: string;
  /** Each of them signs. */
  secrets: readonly string[];
  /** The id of the event. */
  id: string;
  body: string;
}

export interface Sender {
  /** Never rejects: what went wrong is in the answer. */
  send: (sending: Sending) => Promise<WebhookAnswer>;
  /** Closes its idle connections. */
  close: () => void;
}

export interface SenderOptions extends NameLookupOptions {
  /** The most requests at once. */
  connections: number;
  limitMs?: number;
}

const LIMIT_MS = 10_000;
const MOST_ANSWER_BYTES = 1024;
const USER_AGENT = 'payto-agreements';
const IDLE_MS = 4000;
const [GOOD, REDIRECT, BAD] = [200, 300, 400];

/** Keeps connections for one endpoint. A connection is opened only to an address that was checked, and that is not looked up again. */
export function createSender(options: SenderOptions): Sender {
  const { allowsPrivate, connections, limitMs = LIMIT_MS } = options;
  const names = createNameLookup(options);
  const kept = {
    ...{ keepAlive: true, maxSockets: connections, maxFreeSockets: connections, timeout: IDLE_MS },
    lookup: names.lookup,
  };
  const agents = {
    'http:': new http.Agent(kept),
    'https:': new https.Agent({ ...kept, rejectUnauthorized: true }),
  };
  const send = async (sending: Sending): Promise<WebhookAnswer> => {
    const startedAt = performance.now();
    const answer = await request(sending, { agents, allowsPrivate, limitMs }).catch((error: unknown) => ({
      problem: problemOf(error),
    }));
    const { status, problem = problemOfStatus(status) } = answer as Answered;
    const durationMs = Math.round(performance.now() - startedAt);
    return { ...(answer as Answered), isDelivered: problem === undefined, problem, durationMs };
  };
  const close = (): void => {
    names.close();
    for (const agent of Object.values(agents)) agent.destroy();
  };
  return { send, close };
}

interface Answered {
  status?: number;
  answer?: string;
  problem?: WebhookProblem;
}

interface Requesting {
  agents: { 'http:': http.Agent; 'https:': https.Agent };
  allowsPrivate: boolean;
  limitMs: number;
}

async function request(sending: Sending, requesting: Requesting): Promise<Answered> {
  const url = new URL(sending.url);
  const { protocol } = url;
  const isHttp = protocol === 'http:' && requesting.allowsPrivate;
  const ip = ipOf(url.hostname);
  const isRefused = ip !== undefined && !requesting.allowsPrivate && isPrivateAddress(ip);
  if (isRefused || (protocol !== 'https:' && !isHttp)) throw new NotSent('refused_address');
  const deadline = AbortSignal.timeout(requesting.limitMs);
  const once = (): Promise<Answered> => exchange(url, sending, requesting.agents[protocol], deadline);
  return once().catch((error: unknown) => {
    // The receiver closed an idle connection while the request was on its way.
    if (error instanceof StaleConnection) return once();
    throw error;
  });
}

class StaleConnection extends Error {}

/** Ends at the deadline in any case, also if no connection is free. */
function exchange(
  url: URL,
  { id, body, secrets }: Sending,
  agent: http.Agent | https.Agent,
  deadline: AbortSignal,
): Promise<Answered> {
  deadline.throwIfAborted();
  const { request: open } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const sent = open(url, { method: 'POST', agent, headers: headersOf(id, body, secrets) });
    let finish: (() => void) | undefined;
    // The status counts, also if the rest of the answer is lost or late.
    const fail = (error: Error): void => (finish ?? (() => reject(error)))();
    deadline.addEventListener('abort', () => {
      fail(deadline.reason as Error);
      sent.destroy();
    });
    sent.on('error', (error) => {
      const isStale = sent.reusedSocket && Reflect.get(error, 'code') === 'ECONNRESET';
      fail(isStale ? new StaleConnection('closed', { cause: error }) : error);
    });
    sent.on('close', () => fail(new Error('the connection was closed without an answer')));
    // An answer 101, which is no success. There is no `response` then.
    sent.on('upgrade', ({ statusCode: status = 0 }, socket) => {
      socket.destroy();
      resolve({ status });
    });
    sent.on('response', (response) => {
      finish = () => resolve({ status: response.statusCode ?? 0, answer: read() });
      const read = readStart(response, () => {
        finish?.();
        sent.destroy();
      });
      response.on('end', finish).on('error', finish).on('close', finish);
    });
    sent.end(body);
  });
}

/** @param onEnough is called once the first kB is there. @returns a function that reads the start of the answer so far. */
function readStart(response: http.IncomingMessage, onEnough: () => void): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MOST_ANSWER_BYTES) onEnough();
  });
  return () => Buffer.concat(chunks).subarray(0, MOST_ANSWER_BYTES).toString('utf8');
}

function headersOf(id: string, body: string, secrets: readonly string[]): http.OutgoingHttpHeaders {
  const at = new Date();
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}

function problemOfStatus(status = 0): WebhookProblem | undefined {
  if (status >= REDIRECT && status < BAD) return 'redirect';
  return status >= GOOD && status < REDIRECT ? undefined : 'status';
}

function problemOf(error: unknown): WebhookProblem {
  if (error instanceof NotSent) return error.problem;
  if (!(error instanceof Error)) return 'connection';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'timeout';
  const code = String(Reflect.get(error, 'code') ?? '');
  if (/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/.test(code)) return 'dns';
  const isTls = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/.test(
    code,
  );
  return isTls ? 'tls' : 'connection';
}
