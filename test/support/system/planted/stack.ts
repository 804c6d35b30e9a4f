import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { onTestFinished } from 'vitest';
import { launch } from '../../../../cli/stack/child.js';
import { newSecrets, type Secrets } from '../../../../cli/stack/secrets.js';
import { apiEnvironment, workerEnvironment, type Wiring } from '../../../../cli/stack/wiring.js';
import { startSandbox, type RunningSandbox } from '../../../../sandbox/start.js';
import { findPackageRoot } from '../../../../temporal-server/binary/cache.js';
import { readTemporalEnvironment } from '../../../../temporal-server/config.js';
import { freePort } from '../../../../temporal-server/free-port.js';
import { resolveTemporal } from '../../../../temporal-server/binary/resolve.js';
import { startTemporal } from '../../../../temporal-server/start.js';
import { builtOf } from '../../processes.js';
import { startRecordsOf } from '../../records.js';
import { openDoor, type Door } from './provider.js';

export interface PlantedStack {
  url: string;
  secrets: Secrets;
  sandbox: RunningSandbox;
  door: Door;
  stranger: Client;
  output(): Buffer;
  metrics(): Promise<Buffer>;
  database(): Promise<Buffer>;
  records(): Promise<Buffer>;
}

export async function bringUpPlanted(): Promise<PlantedStack> {
  const folder = await mkdtemp(join(tmpdir(), 'payto-planted-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const said: string[] = [];
  const hear = (line: string): void => void said.push(line);
  const secrets = await newSecrets();
  const [port, uiPort, api, metrics] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const [records, admin] = [await freePort(), await freePort()];
  let sandboxUrl = '';
  const door = await openDoor(() => sandboxUrl);
  onTestFinished(() => door.close());
  const wiring: Wiring = {
    root: findPackageRoot(),
    variables: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', PAYMENTS_RATE_PER_SECOND: '500' },
    secrets,
    ports: { api, admin, metrics },
    records: { port: records, folder: join(folder, 'records'), isDisposable: true },
    temporal: { port, uiPort, dbFilename: join(folder, 'temporal.db') },
    sandbox: { port: door.port, dataFile: '' },
  };
  const environments = { worker: workerEnvironment(wiring), api: apiEnvironment(wiring) };
  const { OAUTH_CLIENT_ID: clientId = '', OAUTH_REDIRECT_URI: redirectUri = '' } = environments.api;
  const url = `http://127.0.0.1:${api}`;
  const sandbox = await startSandbox({
    clientId,
    clientSecret: secrets.oauth_client_secret,
    redirectUri,
    webhookUrl: `${url}/webhooks`,
    webhookSecret: secrets.webhook_secret,
  });
  sandboxUrl = sandbox.url;
  onTestFinished(() => sandbox.close());
  await startServer(wiring, hear);
  const postgres = await startRecordsOf(wiring, hear);
  onTestFinished(() => postgres.stop());
  for (const name of ['worker', 'api'] as const) {
    const program = await launch({
      name,
      args: [builtOf(name)],
      cwd: wiring.root,
      environment: environments[name],
      onLine: hear,
      readyLine: /^(worker polling|api listening)/,
      readyWithinMs: 120_000,
      stopWithinMs: 20_000,
    });
    onTestFinished(() => program.stop());
    await program.ready;
  }
  const connection = await Connection.connect({ address: environments.api['TEMPORAL_ADDRESS'] ?? '' });
  onTestFinished(() => connection.close());
  return {
    url,
    secrets,
    sandbox,
    door,
    stranger: new Client({ connection }),
    output: () => Buffer.from(said.join('\n')),
    metrics: async () =>
      Buffer.from(
        (
          await Promise.all([
            read(`http://127.0.0.1:${admin}/metrics`),
            read(`http://127.0.0.1:${metrics}/metrics`),
          ])
        ).join('\n'),
      ),
    database: () => allOf(folder),
    records: () => allOf(postgres.data),
  };
}

async function startServer({ temporal }: Wiring, hear: (line: string) => void): Promise<void> {
  const resolved = await resolveTemporal({ ...readTemporalEnvironment(), address: undefined });
  if (resolved.kind === 'external' || temporal === undefined)
    throw new Error('expected a local Temporal server, not an external one');
  const server = await startTemporal({
    path: resolved.path,
    ...temporal,
    uiPort: undefined,
    logLevel: 'info',
    onOutput: hear,
  });
  onTestFinished(() => server.stop());
}

const read = async (url: string): Promise<string> => (await fetch(url)).text();

async function allOf(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((file) => join(file.parentPath, file.name));
  const read = files.map((file) => readFile(file).catch(() => Buffer.alloc(0)));
  return Buffer.concat(await Promise.all(read));
}
