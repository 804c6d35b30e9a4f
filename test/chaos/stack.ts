import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { createApi } from '../../cli/api/client.js';
import { launch, type Program } from '../../cli/stack/child.js';
import { ensureConsent } from '../../cli/api/consent.js';
import {
  apiEnvironment,
  apiUrl,
  freshWiring,
  sandboxEnvironment,
  workerEnvironment,
  type Wiring,
} from '../../cli/stack/wiring.js';
import { createClient, type PaytoClient } from '../../client/create.js';
import { readConfig } from '../../sandbox/config.js';
import { startSandbox } from '../../sandbox/start.js';
import { readTemporalEnvironment } from '../../temporal-server/config.js';
import { resolveTemporal } from '../../temporal-server/binary/resolve.js';
import { startTemporal } from '../../temporal-server/start.js';
import { ensureBuilt } from '../support/built-processes.js';
import { fetchPatiently } from '../support/http.js';
import { startWorkers, type Workers } from './workers.js';
import { startRecordsOf } from '../support/records.js';
import type { Variables } from '../../cli/config.js';
import type { Control } from '../../sandbox/control/create.js';

export const CONNECTION = 'chaos';

export interface ChaosStack {
  provider: Control;
  api: PaytoClient;
  temporal: Client;
  temporalAddress: string;
  taskQueue: string;
  workers: Workers;
  close(): Promise<void>;
}

const SETTINGS = {
  API_RATE_PER_KEY: '0',
  PAYMENTS_RATE_PER_SECOND: '100',
  PAYMENTS_RATE_BURST: '100',
  SWEEP_INTERVAL_HOURS: '0',
  AUDIT_INTERVAL_HOURS: '0',
  NODE_ENV: 'production',
};

export async function bringUpForChaos(print: (line: string) => void): Promise<ChaosStack> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  try {
    await ensureBuilt();
    const folder = await mkdtemp(join(tmpdir(), 'payto-chaos-'));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const wiring = await freshWiring(folder, SETTINGS);
    const address = await ownTemporal(wiring, print, closing);
    const postgres = await startRecordsOf(wiring);
    closing.push(() => postgres.stop());
    return { ...(await bringUpOn(address, wiring, closing)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function ownTemporal(
  { temporal }: Wiring,
  print: (line: string) => void,
  closing: (() => Promise<unknown>)[],
): Promise<string> {
  const binary = await resolveTemporal(
    { ...readTemporalEnvironment(), address: undefined },
    { onProgress: print },
  );
  if (binary.kind !== 'binary') throw new Error('expected a local Temporal server, not an external one');
  const server = await startTemporal({ path: binary.path, port: temporal?.port ?? 0, logLevel: 'error' });
  closing.push(() => server.stop());
  return server.address;
}

async function bringUpOn(
  temporalAddress: string,
  wiring: Wiring,
  closing: (() => Promise<unknown>)[],
): Promise<Omit<ChaosStack, 'close'>> {
  const sandbox = await startSandbox(readConfig({ ...sandboxEnvironment(wiring), SANDBOX_DATA_FILE: '' }));
  closing.push(() => sandbox.close());
  const taskQueue = `chaos-${randomUUID()}`;
  const own = { TEMPORAL_ADDRESS: temporalAddress, TASK_QUEUE: taskQueue };
  const environment = { ...workerEnvironment(wiring), ...own };
  const workers = await startWorkers(() => startRoom('worker', /^worker polling /, wiring, environment));
  closing.push(() => workers.close());
  const server = await startRoom('api', /^api listening on /, wiring, { ...apiEnvironment(wiring), ...own });
  closing.push(() => server.stop());
  const { api_key: apiKey } = wiring.secrets;
  const url = apiUrl(wiring);
  await ensureConsent(createApi(url, apiKey, new AbortController().signal), CONNECTION);
  const connection = await Connection.connect({ address: temporalAddress });
  closing.push(() => connection.close());
  return {
    provider: sandbox.control,
    api: createClient({ url, apiKey, fetch: fetchInTurn }),
    temporal: new Client({ connection }),
    temporalAddress,
    taskQueue,
    workers,
  };
}

async function fetchInTurn(request: Request): Promise<Response> {
  for (;;) {
    const answer = await fetchPatiently(request.clone());
    if (answer.status !== TOO_MANY) return answer;
    await pause(TOO_MANY_PAUSE_MS);
  }
}
const TOO_MANY = 429;
const TOO_MANY_PAUSE_MS = 1000;

async function startRoom(
  name: 'api' | 'worker',
  readyLine: RegExp,
  { root }: Wiring,
  environment: Variables,
): Promise<Program> {
  const program = await launch({
    name,
    args: [join('dist', name, 'main.js')],
    cwd: root,
    environment,
    readyLine,
    readyWithinMs: 120_000,
    stopWithinMs: 65_000,
    onLine: () => undefined,
  });
  const gone = program.exited.then(({ lastLines }) => {
    throw new Error(`${name} exited before it was ready: ${lastLines.join('\n')}`);
  });
  await Promise.race([program.ready, gone]);
  return program;
}
