import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createWireServer, type Server as NetServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

export interface Loopback {
  url: string;
  host: string;
  requests: ReceivedRequest[];
  connections: () => number;
  answers: (...answers: Answer[]) => void;
  close: () => Promise<void>;
}

export async function startLoopback(): Promise<Loopback> {
  const requests: ReceivedRequest[] = [];
  let queue: Answer[] = [];
  let connections = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: await text(request),
    };
    requests.push(one);
    const next = queue.length > 1 ? queue.shift() : queue[0];
    next?.(response, one);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.on('connection', () => (connections += 1));
  const host = await listen(server);
  return {
    url: `http://${host}`,
    host,
    requests,
    connections: () => connections,
    answers: (...answers) => {
      queue = answers;
      requests.length = 0;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export type Wire = (socket: Socket) => void;

export interface WireLoopback {
  url: string;
  requests: string[];
  writes: (wire: Wire) => void;
  close: () => Promise<void>;
}

export async function startWire(): Promise<WireLoopback> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let wire: Wire = () => undefined;
  const server = createWireServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (!isWhole(text)) return;
      requests.push(text);
      text = '';
      wire(socket);
    });
  });
  const host = await listen(server);
  return {
    url: `http://${host}`,
    requests,
    writes: (next) => {
      wire = next;
      requests.length = 0;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function isWhole(request: string): boolean {
  const [head = '', body] = request.split('\r\n\r\n');
  return body !== undefined && body.length >= Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
}

async function listen(server: NetServer): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
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

export async function thrownBy(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  throw new Error('expected a failure; the call succeeded');
}
