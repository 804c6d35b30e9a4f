// One request over Node's http or https, its sockets kept open for the next. It follows nothing, and sends no body twice.
// Not over Node's fetch, which a hostile answer can make wait for ever (a gzip that is none), make send a body twice (a
// 421), or make bring down the process (six layers of content-encoding and a lost connection), at twice the CPU time.
import { Agent, request as requestPlainly } from 'node:http';
import { Agent as SecureAgent, request as requestSecurely } from 'node:https';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** The value of a name, whatever its case; null where there is none. Several of one name are joined by commas. */
export type AnswerHeaders = Pick<Headers, 'get'>;

export interface Incoming {
  status: number;
  headers: AnswerHeaders;
  /** As it comes in, unpacked. To stop in the middle is to hang up. */
  body: AsyncIterable<Uint8Array> | null;
}

export interface Outgoing {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  signal: AbortSignal;
  redirect: 'manual';
}

/** What carries a request out; `fetch` itself is one. It rejects with whatever the network came up with. */
export type Transport = (url: string, outgoing: Outgoing) => Promise<Incoming>;

/** Shorter than servers keep a silent connection, so that they seldom close one just as we use it. */
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
    return answerTo(stored, outgoing).catch((error: unknown) => {
      // The server may have closed the connection behind its last answer. What may be asked twice is asked anew.
      if (!stored.reusedSocket || method !== 'GET' || !isGone(error)) throw error;
      return answerTo(begin(url, { ...options, agent: false }), outgoing);
    });
  };
}

const GONE: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);
const isGone = (error: unknown): boolean => error instanceof Error && 'code' in error && GONE.has(error.code);

function answerTo(request: ClientRequest, { body }: Outgoing): Promise<Incoming> {
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
    request.end(body);
  });
}

const headersOf = ({ headers }: IncomingMessage): AnswerHeaders => ({
  get: (name) => [headers[name.toLowerCase()] ?? []].flat().join(', ') || null,
});

/** What is packed otherwise than we asked for stays as it is, and will not be understood. */
function unpacked(response: IncomingMessage): AsyncIterable<Uint8Array> {
  if (!GZIP.has(response.headers['content-encoding']?.trim().toLowerCase())) return response;
  // The reader gets every failure; without a callback it would be an uncaught error of the process.
  return pipeline(response, createGunzip(), () => undefined);
}
