// A provider on the loopback that answers whatever a test wants, and remembers what it was asked.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

export interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Answer = (response: ServerResponse, asked: Asked) => void;

export interface Loopback {
  url: string;
  /** `127.0.0.1:port`. */
  host: string;
  asked: Asked[];
  /** Takes these answers in turn, the last one for ever, and forgets what was asked before. */
  answers: (...answers: Answer[]) => void;
  close: () => Promise<void>;
}

export async function startLoopback(): Promise<Loopback> {
  const asked: Asked[] = [];
  let queue: Answer[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: await text(request),
    };
    asked.push(one);
    const next = queue.length > 1 ? queue.shift() : queue[0];
    next?.(response, one);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return {
    url: `http://${host}`,
    host,
    asked,
    answers: (...answers) => {
      queue = answers;
      asked.length = 0;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body));

export const raw =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Runs what should fail and hands back what it threw. */
export async function thrownBy(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  throw new Error('expected a failure; met none');
}
