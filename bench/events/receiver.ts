// An endpoint that receives webhooks and notes when each arrived.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { LOOPBACK, freePort } from '../../temporal-server/free-port.js';
import type { CostStack } from '../cost/stack.js';

const Received = z.object({ type: z.string(), resource: z.object({ uid: z.string() }) });

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** @param types of its events. */
export async function openReceiver(stack: CostStack, types: readonly string[]) {
  /** By type and uid, by `performance.now()`. */
  const arrivals = new Map<string, number>();
  const server = createServer((request, response) => {
    const at = performance.now();
    void json(request).then((body) => {
      const { type, resource } = Received.parse(body);
      arrivals.set(keyOf(type, resource.uid), at);
      response.writeHead(204).end();
    });
  });
  const port = await freePort();
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
  await stack.post('/v1/webhook-endpoints', { url: `http://${LOOPBACK}:${port}/`, types });
  return {
    arrivedAt: (type: string, uid: string): number | undefined => arrivals.get(keyOf(type, uid)),
    forget: (type: string, uid: string): boolean => arrivals.delete(keyOf(type, uid)),
    count: () => arrivals.size,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const keyOf = (type: string, uid: string): string => `${type} ${uid}`;
