// Exercises our client and the sandbox, and returns the recorded exchanges.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { LATEST, startWorld, type World } from './world.js';
import { EVENTS } from './events.js';
import { ONLY_LATEST, WALK } from './walk.js';
import { SIMULATIONS } from './simulations.js';
import { breakRequests } from './broken.js';
import { jsonOf } from './recorder.js';
import type { Contract } from './contract.js';
import type { Mismatch } from './verdict.js';
import type { Talk } from './report.js';

/** The version of the provider's published API files. */
const VERSION = '20260101';

/** Starts a sandbox and a receiver on free ports, runs all steps, and stops both. A failed step is a mismatch; the others continue. */
export async function exercise(contract: Contract): Promise<Talk> {
  const receiver = await startReceiver();
  const world = await startWorld({ webhookUrl: receiver.url, version: VERSION });
  const failures: Mismatch[] = [];
  const attempt = async (operation: string, act: () => unknown): Promise<void> => {
    try {
      await act();
    } catch (error) {
      const met = error instanceof Error ? error.message : String(error);
      failures.push({ file: '-', operation, where: 'step', expected: 'to succeed', met });
    }
  };
  try {
    await walk(world, attempt);
    for (const [name, simulation] of Object.entries(SIMULATIONS))
      await attempt(name, async () => simulation(world));
    for (const [type, cases] of Object.entries(EVENTS))
      for (const { bring } of cases) await attempt(type, async () => bring(world));
    await attempt('breakRequests', async () => breakRequests(world, contract));
    await world.control.flushWebhooks();
    return { exchanges: world.exchanges, webhooks: receiver.bodies, failures };
  } finally {
    await world.close();
    await receiver.close();
  }
}

async function walk(
  world: World,
  attempt: (operation: string, act: () => unknown) => Promise<void>,
): Promise<void> {
  for (const [name, step] of Object.entries(WALK)) {
    const api = ONLY_LATEST.has(name) ? world.on(LATEST) : world.api;
    await attempt(name, async () => {
      for (const send of await step(world)) await attempt(name, async () => send(api, world.call));
    });
  }
}

async function startReceiver() {
  const bodies: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(jsonOf(Buffer.concat(chunks)));
      response.writeHead(200).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}/webhooks`, bodies, close };
}
