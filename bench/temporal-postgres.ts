// `npm run temporal:postgres`: Temporal's production server on the embedded PostgreSQL, until Ctrl-C. Its data stays in
// .data/temporal-on-postgres/. Without a UI. For measurements; development uses `npm run temporal`.
import { join } from 'node:path';
import { Interrupted, createProcessGroup, onInterrupt, type Member } from '../cli/stack/process-group.js';
import { LOOPBACK, freePort } from '../temporal-server/free-port.js';
import { requireFreePort } from '../temporal-server/start.js';
import { startOnPostgres } from './rate/server-on-postgres.js';

const PORT = 7233;
const FOLDER = join(import.meta.dirname, '..', '.data', 'temporal-on-postgres');

const print = (line: string): void => console.log(line);
const group = createProcessGroup(print);
onInterrupt(group);
try {
  await requireFreePort(PORT, 'Temporal');
  const metricsPort = await freePort();
  const plan = {
    folder: FOLDER,
    port: PORT,
    metricsPort,
    namespaces: [],
    print,
    onStart: (member: Member) => group.add(member),
  };
  await group.guard(startOnPostgres(plan));
  print('Temporal is running on PostgreSQL. Press Ctrl-C to stop it.');
  print(`  address   ${LOOPBACK}:${PORT}`);
  print(`  metrics   http://${LOOPBACK}:${metricsPort}/metrics`);
  await group.trouble();
} catch (error) {
  if (!(error instanceof Interrupted)) throw error;
} finally {
  await group.stop();
}
