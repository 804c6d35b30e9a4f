// Receives the sandbox's webhooks, notes when each arrived, and delivers it.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { LOOPBACK, freePort } from '../../temporal-server/free-port.js';

const LIMIT_MS = 120_000;
const Event = z.object({ data: z.object({ type: z.string(), resource_uid: z.string() }) });

export interface Webhook {
  uid: string;
  /** The last word of the event's type, such as `activated`. */
  happened: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** @returns the status for the sandbox. */
export type Deliver = (webhook: Webhook) => Promise<number>;

export type Inbox = Awaited<ReturnType<typeof openInbox>>;

export async function openInbox(deliver: Deliver) {
  const arrivals = new Map<string, Arrival>();
  const arrivalOf = (uid: string, happened: string): Arrival => {
    const key = `${uid} ${happened}`;
    const found = arrivals.get(key) ?? newArrival();
    arrivals.set(key, found);
    return found;
  };
  const server = createServer((incoming, answer) => {
    const at = performance.now();
    void webhookOf(incoming)
      .then(async (webhook) => {
        arrivalOf(webhook.uid, webhook.happened).resolve(at);
        answer.writeHead(await deliver(webhook)).end();
      })
      .catch((error: unknown) => answer.destroy(error instanceof Error ? error : undefined));
  });
  const port = await freePort();
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
  return {
    url: `http://${LOOPBACK}:${port}/webhooks`,
    /** When the first webhook of this kind about a resource arrived, by `performance.now()`. Waits for it, with a limit. */
    arrivedAt: (uid: string, happened: string): Promise<number> =>
      inTime(arrivalOf(uid, happened).promise, `a webhook that ${uid} is ${happened}`),
    close: (): void => void server.close(),
  };
}

async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  const done = new AbortController();
  const late = delay(LIMIT_MS, undefined, { signal: done.signal }).then(() => {
    throw new Error(`expected ${what} within ${LIMIT_MS / 1000} s`);
  });
  late.catch(() => undefined); // Aborted, or thrown by the race.
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}

interface Arrival {
  promise: Promise<number>;
  resolve: (at: number) => void;
}

function newArrival(): Arrival {
  let resolve: (at: number) => void = () => undefined;
  const promise = new Promise<number>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const NOT_PASSED_ON = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** @throws Error if it is not an event. */
export async function webhookOf(incoming: IncomingMessage): Promise<Webhook> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    if (typeof value === 'string' && !NOT_PASSED_ON.has(name)) headers[name] = value;
  const body = await buffer(incoming);
  const { type, resource_uid: uid } = Event.parse(JSON.parse(body.toString())).data;
  return { uid, happened: type.split('.').at(-1) ?? type, headers, body };
}

/** Delivers webhooks unchanged. */
export const deliverTo =
  (url: string): Deliver =>
  async ({ headers, body }) => {
    const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
    await response.body?.cancel();
    return response.status;
  };
