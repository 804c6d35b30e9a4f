// The Temporal server that all candidates share. Each has its own namespace.
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { readTemporalEnvironment } from '../../temporal-server/config.js';
import { LOOPBACK, freePort } from '../../temporal-server/free-port.js';
import { resolveTemporal } from '../../temporal-server/binary/resolve.js';
import { startTemporal } from '../../temporal-server/start.js';
import type { Member, ProcessGroup } from '../../cli/stack/process-group.js';
import { cpuMsOf, familyCpuMsOf } from '../process-usage.js';
import { startOnPostgres } from './server-on-postgres.js';
import type { Store } from './options.js';

export type RateServer = Awaited<ReturnType<typeof startServer>>;

export interface ServerPlan {
  group: ProcessGroup;
  folder: string;
  namespaces: readonly string[];
  print: (line: string) => void;
  store: Store;
}

/** With a database file, as in `npm start`, or on PostgreSQL. */
export async function startServer(plan: ServerPlan) {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const start = plan.store === 'postgres' ? onPostgres : onFile;
  const cpuMs = await start(plan, { port, metricsPort });
  const connection = await Connection.connect({ address: `${LOOPBACK}:${port}` });
  return {
    address: `${LOOPBACK}:${port}`,
    metricsUrl: `http://${LOOPBACK}:${metricsPort}/metrics`,
    /** Of the server and its database. */
    cpuMs,
    /** Without a key. */
    client: (namespace: string) => new Client({ connection, namespace }),
    close: () => connection.close(),
  };
}

interface Ports {
  port: number;
  metricsPort: number;
}

type ReadCpuMs = () => Promise<number>;

async function onFile({ group, folder, namespaces, print }: ServerPlan, ports: Ports): Promise<ReadCpuMs> {
  const environment = { ...readTemporalEnvironment(), address: undefined };
  const binary = await group.guard(resolveTemporal(environment, { onProgress: print }));
  if (binary.kind !== 'binary') throw new Error('expected a local Temporal server; resolved a remote one');
  const running = await startTemporal({
    ...{ path: binary.path, ...ports, namespaces },
    dbFilename: join(folder, 'temporal.db'),
    logLevel: 'error',
  });
  group.add({ name: 'temporal', ...running });
  return () => cpuMsOf(running.pid);
}

async function onPostgres(
  { group, folder, namespaces, print }: ServerPlan,
  ports: Ports,
): Promise<ReadCpuMs> {
  const { temporal, postgres } = await startOnPostgres({
    ...{
      ...ports,
      folder: join(folder, 'server'),
      namespaces,
      print,
      onStart: (member: Member) => group.add(member),
    },
  });
  return async () => (await cpuMsOf(temporal.pid)) + (await familyCpuMsOf(postgres.pid));
}
