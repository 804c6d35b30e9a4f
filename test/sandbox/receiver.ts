// A webhook endpoint for tests: keeps what arrives and answers as it is told.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

const Envelope = z.object({
  data: z.looseObject({
    id: z.string(),
    type: z.string(),
    published_at: z.string(),
    resource_uid: z.string(),
    resource_type: z.string(),
    body: z.record(z.string(), z.unknown()).nullable(),
  }),
  links: z.object({ resource: z.string() }),
});

export interface Received {
  headers: IncomingHttpHeaders;
  raw: string;
  envelope: z.output<typeof Envelope>;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** The types in the order of their arrival. */
  types(): string[];
  /** From now on: a status, or `silence`, which drops the connection without a response. */
  answerWith(answer: number | 'silence'): void;
  /** Resolves with the first webhook that arrives after this call. */
  next(): Promise<Received>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  let answer: number | 'silence' = 200;
  const received: Received[] = [];
  const waiting: ((webhook: Received) => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8');
      const webhook = { headers: request.headers, raw, envelope: Envelope.parse(JSON.parse(raw)) };
      received.push(webhook);
      for (const resolve of waiting.splice(0)) resolve(webhook);
      if (answer === 'silence') request.socket.destroy();
      else response.writeHead(answer).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    received,
    types: () => received.map(({ envelope }) => envelope.data.type),
    answerWith(next) {
      answer = next;
    },
    next: () => new Promise((resolve) => waiting.push(resolve)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
