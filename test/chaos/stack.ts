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
import { forgetPostgres } from '../../postgres-server/start.js';
import { startSandbox } from '../../sandbox/start.js';
import { readTemporalEnvironment } from '../../temporal-server/config.js';
import { resolveTemporal } from '../../temporal-server/binary/resolve.js';
import { startTemporal } from '../../temporal-server/start.js';
import { ensureBuilt } from '../support/built-processes.js';
import { createKills, restartable, type Kills, type Restartable } from './kills.js';
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
  kills: Kills;
  /** As the role of the worker and the API. */
  recordsUrl: string;
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

export async function bringUpForChaos(rounds: number, print: (line: string) => void): Promise<ChaosStack> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  try {
    await ensureBuilt();
    const folder = await mkdtemp(join(tmpdir(), 'payto-chaos-'));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const wiring = await durableWiring(folder, closing);
    const address = await ownTemporal(wiring, print, closing);
    const postgres = await restartable(() => startRecordsOf(wiring));
    closing.push(() => postgres.stop());
    return { ...(await bringUpOn(address, wiring, postgres, rounds, closing)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Disposable records lose the newest commits at a SIGKILL. */
async function durableWiring(folder: string, closing: (() => Promise<unknown>)[]): Promise<Wiring> {
  const wiring = await freshWiring(folder, SETTINGS);
  if (wiring.records === undefined) throw new Error('expected a wiring with records');
  const records = { ...wiring.records, isDisposable: false };
  closing.push(() => forgetPostgres(records.folder));
  return { ...wiring, records };
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
  postgres: Restartable,
  rounds: number,
  closing: (() => Promise<unknown>)[],
): Promise<Omit<ChaosStack, 'close'>> {
  const sandbox = await startSandbox(readConfig({ ...sandboxEnvironment(wiring), SANDBOX_DATA_FILE: '' }));
  closing.push(() => sandbox.close());
  const taskQueue = `chaos-${randomUUID()}`;
  const own = { TEMPORAL_ADDRESS: temporalAddress, TASK_QUEUE: taskQueue };
  const environments = {
    worker: { ...workerEnvironment(wiring), ...own },
    api: { ...apiEnvironment(wiring), ...own },
  };
  const worker = await restartable(() =>
    startRoom('worker', /^worker polling /, wiring, environments.worker),
  );
  closing.push(() => worker.stop());
  const server = await restartable(() => startRoom('api', /^api listening on /, wiring, environments.api));
  closing.push(() => server.stop());
  const kills = createKills({ worker, api: server, postgres }, rounds);
  // Its rejection was already reported by `begin`.
  closing.push(() => kills.rest().catch(() => undefined));
  const ended = new AbortController();
  closing.push(() => Promise.resolve(ended.abort()));
  const { api_key: apiKey } = wiring.secrets;
  const url = apiUrl(wiring);
  await ensureConsent(createApi(url, apiKey, new AbortController().signal), CONNECTION);
  const connection = await Connection.connect({ address: temporalAddress });
  closing.push(() => connection.close());
  return {
    provider: sandbox.control,
    api: createClient({ url, apiKey, fetch: fetchUntilAnswered(ended.signal) }),
    temporal: new Client({ connection }),
    temporalAddress,
    taskQueue,
    kills,
    recordsUrl: workerEnvironment(wiring)['RECORDS_URL'] ?? '',
  };
}

/** Repeats a request while the API or a part behind it is away. Each request is idempotent. */
const fetchUntilAnswered =
  (signal: AbortSignal) =>
  async (request: Request): Promise<Response> => {
    for (;;) {
      const one = new Request(request.clone(), { signal: AbortSignal.any([request.signal, signal]) });
      const answer = await fetchWhole(one).catch((error: unknown) => {
        if (!(error instanceof TypeError)) throw error;
        return undefined;
      });
      if (answer !== undefined && !AWAY.has(answer.status)) return answer;
      await pause(AWAY_PAUSE_MS);
    }
  };
const AWAY: ReadonlySet<number> = new Set([429, 503]);
const AWAY_PAUSE_MS = 500;

/** @throws TypeError also if the connection is lost during a body that is not a stream. */
async function fetchWhole(request: Request): Promise<Response> {
  const answer = await fetch(request);
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true)
    await answer.clone().arrayBuffer();
  return answer;
}

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
