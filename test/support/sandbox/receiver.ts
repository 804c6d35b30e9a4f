import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

const EventData = z.looseObject({
  id: z.string(),
  type: z.string(),
  published_at: z.string(),
  resource_uid: z.string(),
  resource_type: z.string(),
  body: z.record(z.string(), z.unknown()).nullable(),
});
const Envelope = z.object({ data: EventData, links: z.object({ resource: z.string() }) });
const Typed = z.union([
  z.object({ event: z.object({ type: z.string() }) }).transform(({ event }) => [event.type]),
  z.object({ data: z.array(EventData) }).transform(({ data }) => data.map(({ type }) => type)),
  z.object({ data: EventData }).transform(({ data }) => [data.type]),
]);

export interface Received {
  headers: IncomingHttpHeaders;
  raw: string;
  json: unknown;
  envelope: z.output<typeof Envelope>;
}

function received(headers: IncomingHttpHeaders, raw: string): Received {
  const json: unknown = JSON.parse(raw);
  return {
    headers,
    raw,
    json,
    get envelope() {
      return Envelope.parse(json);
    },
  };
}

export interface Receiver {
  url: string;
  received: Received[];
  types(): string[];
  answerWith(answer: number | 'silence'): void;
  next(): Promise<Received>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  let answer: number | 'silence' = 200;
  const all: Received[] = [];
  const waiting: ((webhook: Received) => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const webhook = received(request.headers, Buffer.concat(chunks).toString('utf8'));
      all.push(webhook);
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
    received: all,
    types: () => all.flatMap(({ json }) => Typed.parse(json)),
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
