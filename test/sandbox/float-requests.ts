// Requests and a receiver for the tests of float accounts: an unmatched credit comes in an envelope of its own.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { aWorld, type World } from './world.js';

export interface Listener {
  world: World;
  /** The bodies of the webhooks in the order of their arrival. */
  bodies: unknown[];
}

/** A world whose webhooks are kept as they come, whatever their envelope. */
export async function aListeningWorld(): Promise<Listener> {
  const bodies: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { world: await aWorld({ webhookUrl: `http://127.0.0.1:${port}/` }), bodies };
}

export const anIncomingCredit = (overrides: object = {}) => ({
  to_bsb: '200002',
  to_account_number: '55550001',
  amount: 4200,
  from_bsb: '200001',
  from_account_number: '12340001',
  debtor_name: 'C Customer',
  reference: 'INV 5',
  ...overrides,
});
