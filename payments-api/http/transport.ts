// One request over Node's http or https, with kept-alive sockets. It follows no redirects and never sends a body twice.
// We do not use Node's fetch: it needs twice the CPU time, and a hostile answer can make it hang (invalid gzip), resend a body
// (421), or crash the process (six layers of content-encoding and a lost connection).
import { Agent, request as requestPlainly, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as requestSecurely } from 'node:https';
import { once } from 'node:events';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Socket } from 'node:net';

/** Looks up a header, ignoring case; null if absent. Several values are joined by commas. */
export type AnswerHeaders = Pick<Headers, 'get'>;

export interface Incoming {
  status: number;
  headers: AnswerHeaders;
  /** Streamed and decompressed. Stopping early closes the connection. */
  body: AsyncIterable<Uint8Array> | null;
}

export interface Outgoing {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  signal: AbortSignal;
  redirect: 'manual';
  /** Awaited once the connection stands, right before the first byte is written. If it throws, nothing is written. */
  beforeBytes?: (() => Promise<void>) | undefined;
}

/** Executes a request; `fetch` is one implementation. It rejects with any network error. */
export type Transport = (url: string, outgoing: Outgoing) => Promise<Incoming>;

/** Shorter than the idle timeout of most servers, so that they seldom close a connection as we use it. */
const KEEP_ALIVE = { keepAlive: true, timeout: 4000 };
const GZIP: ReadonlySet<string | undefined> = new Set(['gzip', 'x-gzip']);

export function createTransport(): Transport {
  const plain = new Agent(KEEP_ALIVE);
  const secure = new SecureAgent(KEEP_ALIVE);
  return async (address, outgoing) => {
    const url = new URL(address);
    const isSecure = url.protocol === 'https:';
    const begin = isSecure ? requestSecurely : requestPlainly;
    const { method, headers, signal } = outgoing;
    const options = { method, headers: { ...headers, 'accept-encoding': 'gzip' }, signal };
    const stored = begin(url, { ...options, agent: isSecure ? secure : plain });
    return answerTo(stored, outgoing, isSecure).catch((error: unknown) => {
      // The server may have closed the idle connection. A read is safe to send again.
      if (!stored.reusedSocket || method !== 'GET' || !isGone(error)) throw error;
      return answerTo(begin(url, { ...options, agent: false }), outgoing, isSecure);
    });
  };
}

const GONE: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);
const isGone = (error: unknown): boolean => error instanceof Error && 'code' in error && GONE.has(error.code);

function answerTo(
  request: ClientRequest,
  { body, beforeBytes }: Outgoing,
  isSecure: boolean,
): Promise<Incoming> {
  return new Promise((resolve, reject) => {
    request.on('response', (response: IncomingMessage) => {
      const status = response.statusCode ?? 0;
      resolve({ status, headers: headersOf(response), body: unpacked(response) });
    });
    request.on('error', reject);
    request.on('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(Object.assign(new Error('an upgrade'), { code: 'UNASKED_UPGRADE' }));
    });
    const send = (): void => void request.end(body);
    if (beforeBytes === undefined) return send();
    const unsent = (error: unknown): void => {
      request.destroy();
      reject(error instanceof Error ? error : new Error('nothing was sent', { cause: error }));
    };
    connected(request, isSecure).then(beforeBytes).then(send, unsent);
  });
}

/** Node writes nothing before `end`, so a request without it only opens the connection. */
async function connected(request: ClientRequest, isSecure: boolean): Promise<void> {
  const [socket] = (await once(request, 'socket')) as [Socket];
  if (!request.reusedSocket) await once(socket, isSecure ? 'secureConnect' : 'connect');
}

const headersOf = ({ headers }: IncomingMessage): AnswerHeaders => ({
  get: (name) => [headers[name.toLowerCase()] ?? []].flat().join(', ') || null,
});

/** Leaves other encodings as they are; the judge then reports the body as unreadable. */
function unpacked(response: IncomingMessage): AsyncIterable<Uint8Array> {
  if (!GZIP.has(response.headers['content-encoding']?.trim().toLowerCase())) return response;
  // The reader receives every failure. Without a callback it would be an uncaught exception.
  return pipeline(response, createGunzip(), () => undefined);
}
