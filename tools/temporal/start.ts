// Starts one Temporal development server from a binary, waits until it serves, and stops it.
// Which binary that is, resolve.ts decides.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { LOOPBACK, requireFreePort } from './ports.js';
import { addSearchAttributes, searchAttributeFlags, type SearchAttributes } from './search-attributes.js';
import { tether } from './tether.js';

const START_DEADLINE_MS = 30_000;
const STOP_DEADLINE_MS = 10_000;
const PROBE_TIMEOUT_MS = 5_000;
const PROBE_PAUSE_MS = 25;
const KEPT_LINES = 30;

/** Our own server is asked, so what a developer configured for other servers must not apply. */
const ASK_AS_IS = ['--disable-config-env', '--disable-config-file'];
const TIME_SKIPPING = 'frontend.WorkflowTimeSkippingEnabled=true';
const DATABASE_PRAGMAS = ['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=1'];

export interface StartOptions {
  /** The Temporal CLI, as resolve.ts found it. */
  path: string;
  port: number;
  /** Without it there is no UI. */
  uiPort?: number | undefined;
  /** Where the UI sends payloads to be decoded. */
  uiCodecEndpoint?: string | undefined;
  /** Without it everything is kept in memory. Never give one file to two servers: nothing else stops them. */
  dbFilename?: string | undefined;
  namespace?: string | undefined;
  /** Made sure of on every start, also in a database from before they were thought of. */
  searchAttributes?: SearchAttributes | undefined;
  /** Each as `key=JSON value`. */
  dynamicConfig?: readonly string[] | undefined;
  /** When not given, warnings, but for those that every stop brings. */
  logLevel?: 'debug' | 'info' | 'warn' | 'error' | 'never' | undefined;
  /** Every line the server writes. */
  onOutput?: ((line: string) => void) | undefined;
}

export interface TemporalExit {
  exitCode: number | undefined;
  signal: string | undefined;
  /** The last the server wrote, which is where it says why. */
  lastLines: readonly string[];
}

export interface RunningTemporal {
  address: string;
  uiAddress: string | undefined;
  pid: number;
  /** SIGTERM, and SIGKILL after ten seconds. Stop workers first; they would log every poll that fails. */
  stop(): Promise<void>;
  /** Settles when the server is gone, asked for or not; never rejects. */
  exited: Promise<TemporalExit>;
}

/** Resolves when the server answers and has its search attributes. Throws with its last words when it does not. */
export async function startTemporal(options: StartOptions): Promise<RunningTemporal> {
  const { path, port, uiPort, dbFilename, namespace = 'default', searchAttributes = {} } = options;
  await requireFreePort(port, 'Temporal');
  if (uiPort !== undefined) await requireFreePort(uiPort, "Temporal's UI");
  if (dbFilename !== undefined) await mkdir(dirname(resolve(dbFilename)), { recursive: true });
  const isOldDatabase = dbFilename !== undefined && existsSync(dbFilename);

  const running = await launch(options);
  try {
    await serving(path, running);
    const where = ['--namespace', namespace, '--address', running.address, ...ASK_AS_IS];
    if (isOldDatabase) await addSearchAttributes({ path, where }, searchAttributes);
    return running;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/**
 * In a process group of its own, because Ctrl-C in a terminal goes to the whole group: the server would be gone
 * before the workers had finished what they hold. So only we hear it, and stop things in order; the tether ends
 * the server should we never get to that.
 */
async function launch(options: StartOptions): Promise<RunningTemporal> {
  const child = execa(options.path, argumentsFor(options), {
    detached: true,
    stdin: 'ignore',
    all: true,
    buffer: false,
    reject: false,
    forceKillAfterDelay: STOP_DEADLINE_MS,
  });
  const { pid } = child;
  if (pid === undefined) {
    const { shortMessage = 'no process came of it' } = await child;
    throw new Error(`Temporal did not start: ${shortMessage}`);
  }
  const lastLines: string[] = [];
  createInterface({ input: child.all }).on('line', (line) => {
    if (lastLines.push(line) > KEPT_LINES) lastLines.shift();
    options.onOutput?.(line);
  });
  const release = tether(pid);
  const exited = child.then(({ exitCode, signal }) => {
    release();
    return { exitCode, signal, lastLines };
  });
  return {
    address: `${LOOPBACK}:${options.port}`,
    uiAddress: options.uiPort === undefined ? undefined : `http://${LOOPBACK}:${options.uiPort}`,
    pid,
    exited,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function argumentsFor(options: StartOptions): string[] {
  const { port, uiPort, uiCodecEndpoint, dbFilename, namespace = 'default', logLevel } = options;
  const dynamicConfig = [TIME_SKIPPING, ...(options.dynamicConfig ?? [])];
  return [
    ...['server', 'start-dev', '--ip', LOOPBACK, '--port', String(port)],
    ...['--namespace', namespace],
    ...(logLevel === undefined ? [] : ['--log-level', logLevel]),
    ...dynamicConfig.flatMap((value) => ['--dynamic-config-value', value]),
    ...(dbFilename === undefined ? [] : ['--db-filename', dbFilename, ...DATABASE_PRAGMAS]),
    ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort), '--ui-disable-news-fetch']),
    ...(uiCodecEndpoint === undefined ? [] : ['--ui-codec-endpoint', uiCodecEndpoint]),
    ...searchAttributeFlags(options.searchAttributes ?? {}),
  ];
}

async function serving(path: string, { address, exited }: RunningTemporal): Promise<void> {
  const deadlineMs = performance.now() + START_DEADLINE_MS;
  const gone = exited.then((exit) => {
    throw new Error(`Temporal stopped while starting at ${address} (${describeExit(exit)})`);
  });
  const isHealthy = async (): Promise<boolean> => {
    const question = ['operator', 'cluster', 'health', '--address', address, ...ASK_AS_IS];
    return !(await execa(path, question, { reject: false, timeout: PROBE_TIMEOUT_MS })).failed;
  };
  while (!(await Promise.race([isHealthy(), gone]))) {
    if (performance.now() > deadlineMs) {
      throw new Error(`Temporal does not answer at ${address} after ${START_DEADLINE_MS / 1000} s`);
    }
    await delay(PROBE_PAUSE_MS);
  }
}

/** For people: how the server ended and the last it wrote. */
export function describeExit({ exitCode, signal, lastLines }: TemporalExit): string {
  const how = signal === undefined ? `exit code ${exitCode ?? 'unknown'}` : signal;
  return [how, ...lastLines].join('\n  ');
}
