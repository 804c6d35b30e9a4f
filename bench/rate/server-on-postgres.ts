// Temporal's production server on the embedded PostgreSQL, without Docker. tools/temporal-postgres/ pins it, and Go builds it once.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { execa } from 'execa';
import Long from 'long';
import { announced } from '../../cli/api/waiting.js';
import type { Member } from '../../cli/stack/process-group.js';
import { POSTGRES_OWNER, startPostgres } from '../../postgres-server/start.js';
import { startDetached } from '../../temporal-server/detached.js';
import { LOOPBACK, freePort } from '../../temporal-server/free-port.js';
import { DYNAMIC_CONFIG } from '../../temporal-server/start.js';

const ROOT = join(import.meta.dirname, '../..');
const TOOLS = join(ROOT, 'tools', 'temporal-postgres');
const BUILT = join(ROOT, '.data', 'temporal-postgres');
const DATABASES = { temporal: 'temporal', temporal_visibility: 'visibility' } as const;
/** Fixed for the life of a database. */
const SHARDS = 4;
const CONNECTIONS = 20;
const PASSWORD = 'temporal';
const RETENTION_SECONDS = 86_400;
const STOP_WITHIN_MS = 15_000;
const START_WITHIN_MS = 60_000;
const POLL_MS = 250;
/** A new namespace is usable once all parts of the server have read it. */
const NAMESPACES_READ = 'system.namespaceCacheRefreshInterval="1s"';
const ALL_READ_MS = 3000;

export interface OnPostgresPlan {
  folder: string;
  port: number;
  metricsPort: number;
  namespaces: readonly string[];
  print: (line: string) => void;
  /** Called for each started process, before it is used. */
  onStart: (member: Member) => void;
}

/** Resolves when it answers. It has the namespace `default` and the given ones. */
export async function startOnPostgres(plan: OnPostgresPlan): Promise<{ temporal: Member; postgres: Member }> {
  const { folder, print, onStart, port } = plan;
  await build(print);
  await mkdir(folder, { recursive: true });
  const running = await startPostgres({
    folder: join(folder, 'records'),
    port: await freePort(),
    password: PASSWORD,
  });
  const postgres = { name: 'PostgreSQL of Temporal', ...running };
  onStart(postgres);
  for (const [database, schema] of Object.entries(DATABASES)) await prepare(running.port, database, schema);
  const [config, dynamic] = [join(folder, 'temporal.yaml'), join(folder, 'dynamic.yaml')];
  // JSON is YAML.
  await writeFile(dynamic, JSON.stringify(dynamicConfig()));
  await writeFile(config, JSON.stringify(await configOf(plan, running.port, dynamic)));
  const server = await startDetached({
    ...{
      name: 'Temporal',
      path: join(BUILT, 'server'),
      stopWithinMs: STOP_WITHIN_MS,
      onLine: () => undefined,
    },
    args: ['--config-file', config, '--allow-no-auth', 'start'],
  });
  const temporal = { name: 'temporal', ...server };
  onStart(temporal);
  await announced(print, 'waiting for Temporal', () =>
    createNamespaces(`${LOOPBACK}:${port}`, plan.namespaces),
  );
  return { temporal, postgres };
}

async function build(print: (line: string) => void): Promise<void> {
  if (existsSync(join(BUILT, 'server')) && existsSync(join(BUILT, 'sql'))) return;
  const env = { GOBIN: BUILT, CGO_ENABLED: '0' };
  try {
    await announced(print, 'building the Temporal server for PostgreSQL, which takes minutes', () =>
      execa('go', ['install', '-trimpath', 'tool'], { cwd: TOOLS, env }),
    );
  } catch (cause) {
    throw new Error(`expected Go to build the server; see ${join(TOOLS, 'README.md')}`, { cause });
  }
}

/** Creates the database if it is new, and upgrades its schema. */
async function prepare(port: number, database: string, schema: string): Promise<void> {
  const env = {
    ...{ SQL_PLUGIN: 'postgres12', SQL_HOST: LOOPBACK, SQL_PORT: String(port) },
    ...{ SQL_USER: POSTGRES_OWNER, SQL_PASSWORD: PASSWORD },
  };
  const run = (...args: string[]) => execa(join(BUILT, 'sql'), ['--db', database, ...args], { env });
  // Each does nothing if it is done already.
  await run('create-database');
  await run('setup-schema', '-v', '0.0');
  await run('update-schema', '--schema-name', `postgresql/v12/${schema}`);
}

const dynamicConfig = () =>
  Object.fromEntries(
    [...DYNAMIC_CONFIG, NAMESPACES_READ].map((setting) => {
      const [key = '', value = ''] = setting.split('=');
      return [key, [{ value: JSON.parse(value) as unknown }]];
    }),
  );

async function configOf({ port, metricsPort }: OnPostgresPlan, databasePort: number, dynamic: string) {
  const store = (databaseName: string) => ({
    sql: {
      ...{ pluginName: 'postgres12', databaseName, user: POSTGRES_OWNER, password: PASSWORD },
      ...{ connectAddr: `${LOOPBACK}:${databasePort}`, connectProtocol: 'tcp' },
      ...{ maxConns: CONNECTIONS, maxIdleConns: CONNECTIONS },
    },
  });
  const service = async (grpcPort?: number) => ({
    rpc: {
      grpcPort: grpcPort ?? (await freePort()),
      membershipPort: await freePort(),
      bindOnLocalHost: true,
    },
  });
  const rpcAddress = `${LOOPBACK}:${port}`;
  const active = { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress };
  const disabled = { state: 'disabled' };
  return {
    log: { stdout: true, level: 'error' },
    persistence: {
      ...{ defaultStore: 'default', visibilityStore: 'visibility', numHistoryShards: SHARDS },
      datastores: { default: store('temporal'), visibility: store('temporal_visibility') },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: LOOPBACK },
      metrics: { prometheus: { timerType: 'histogram', listenAddress: `${LOOPBACK}:${metricsPort}` } },
    },
    services: {
      ...{ frontend: await service(port), history: await service() },
      ...{ matching: await service(), worker: await service() },
    },
    clusterMetadata: {
      ...{ enableGlobalNamespace: false, failoverVersionIncrement: 10 },
      ...{ masterClusterName: 'active', currentClusterName: 'active', clusterInformation: { active } },
    },
    archival: { history: disabled, visibility: disabled },
    publicClient: { hostPort: rpcAddress },
    dynamicConfigClient: { filepath: dynamic, pollInterval: '60s' },
  };
}

async function createNamespaces(address: string, namespaces: readonly string[]): Promise<void> {
  const connection = await connect(address);
  for (const namespace of ['default', ...namespaces]) {
    const workflowExecutionRetentionPeriod = { seconds: Long.fromNumber(RETENTION_SECONDS) };
    await connection.workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod })
      .catch((error: unknown) => {
        if (!(error instanceof Error && /already (exists|registered)/i.test(error.message))) throw error;
      });
  }
  await delay(ALL_READ_MS);
  await connection.close();
}

async function connect(address: string): Promise<Connection> {
  for (const untilMs = performance.now() + START_WITHIN_MS; ; await delay(POLL_MS)) {
    try {
      return await Connection.connect({ address });
    } catch (error) {
      if (performance.now() > untilMs) throw error;
    }
  }
}
