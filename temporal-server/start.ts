// Starts one Temporal development server from a binary, waits until it answers, and stops it.
// resolve.ts chooses the binary.
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { describeExit, startDetached, type Detached } from './detached.js';
import { LOOPBACK } from './free-port.js';

const START_DEADLINE_MS = 30_000;
const STOP_DEADLINE_MS = 10_000;
const PROBE_TIMEOUT_MS = 5_000;
const PROBE_PAUSE_MS = 25;
/** Temporal chooses most of its ports itself and listens later: another process may take one in between. */
const TAKEN_MEANWHILE = 'address already in use';
const STARTS = 3;

/** We query our own server, so settings for other servers must not apply. */
const ASK_AS_IS = ['--disable-config-env', '--disable-config-file'];
/** Queues serve connections in rotation (docs/decisions/0014-queues-and-fairness.md). */
const FAIRNESS = 'matching.enableFairness=true';
/** Fairness applies within each partition of a queue. With the default of four, it would hold only on average. */
const ONE_PARTITION = ['matching.numTaskqueueReadPartitions=1', 'matching.numTaskqueueWritePartitions=1'];
const TIME_SKIPPING = 'frontend.WorkflowTimeSkippingEnabled=true';
/** The dynamic settings of every server, each as `key=JSON value`. */
export const DYNAMIC_CONFIG: readonly string[] = [TIME_SKIPPING, FAIRNESS, ...ONE_PARTITION];
const DATABASE_PRAGMAS = ['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=1'];

export interface StartOptions {
  /** The Temporal CLI found by resolve.ts. */
  path: string;
  port: number;
  /** If absent, no UI starts. */
  uiPort?: number | undefined;
  /** Where the UI sends payloads to be decoded. */
  uiCodecEndpoint?: string | undefined;
  /** If absent, all data is in memory. Never use one file for two servers: nothing prevents corruption. */
  dbFilename?: string | undefined;
  /** Created beside `default`. */
  namespaces?: readonly string[] | undefined;
  /** Where the server shows its metrics. Default: a free port. */
  metricsPort?: number | undefined;
  /** Each as `key=JSON value`. */
  dynamicConfig?: readonly string[] | undefined;
  /** Default: warnings, except those of every normal stop. */
  logLevel?: 'debug' | 'info' | 'warn' | 'error' | 'never' | undefined;
  /** Called for every line of output. */
  onOutput?: ((line: string) => void) | undefined;
}

/** Stop workers first, because they would log every failed poll. */
export interface RunningTemporal extends Detached {
  address: string;
  uiAddress: string | undefined;
}

/** Resolves when the server answers. Throws with its last lines of output if it does not. */
export async function startTemporal(options: StartOptions, startsLeft = STARTS): Promise<RunningTemporal> {
  const { path, port, uiPort, dbFilename } = options;
  await requireFreePort(port, 'Temporal');
  if (uiPort !== undefined) await requireFreePort(uiPort, "Temporal's UI");
  if (dbFilename !== undefined) await mkdir(dirname(resolve(dbFilename)), { recursive: true });

  const running = await launch(options);
  try {
    await serving(path, running);
    return running;
  } catch (error) {
    await running.stop();
    const isTaken = running.lastLines.some((line) => line.includes(TAKEN_MEANWHILE));
    if (!isTaken || startsLeft === 1) throw error;
    return startTemporal(options, startsLeft - 1);
  }
}

/**
 * Throws an error that names the port if it is in use. We check first, because another Temporal on that port would answer
 * our health check and look like the new server.
 */
export async function requireFreePort(port: number, purpose: string): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host: LOOPBACK }, resolve);
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Port ${port} cannot be used for ${purpose}: ${why}`, { cause: error });
  } finally {
    server.close();
  }
}

async function launch(options: StartOptions): Promise<RunningTemporal> {
  const { path, port, uiPort, onOutput = () => undefined } = options;
  const server = await startDetached({
    name: 'Temporal',
    path,
    args: argumentsFor(options),
    stopWithinMs: STOP_DEADLINE_MS,
    onLine: onOutput,
  });
  const uiAddress = uiPort === undefined ? undefined : `http://${LOOPBACK}:${uiPort}`;
  return { ...server, address: `${LOOPBACK}:${port}`, uiAddress };
}

function argumentsFor(options: StartOptions): string[] {
  const { port, uiPort, uiCodecEndpoint, dbFilename, logLevel, namespaces = [], metricsPort } = options;
  const dynamicConfig = [...DYNAMIC_CONFIG, ...(options.dynamicConfig ?? [])];
  return [
    ...['server', 'start-dev', '--ip', LOOPBACK, '--port', String(port)],
    ...(logLevel === undefined ? [] : ['--log-level', logLevel]),
    ...namespaces.flatMap((namespace) => ['--namespace', namespace]),
    ...(metricsPort === undefined ? [] : ['--metrics-port', String(metricsPort)]),
    ...dynamicConfig.flatMap((value) => ['--dynamic-config-value', value]),
    ...(dbFilename === undefined ? [] : ['--db-filename', dbFilename, ...DATABASE_PRAGMAS]),
    ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort), '--ui-disable-news-fetch']),
    ...(uiCodecEndpoint === undefined ? [] : ['--ui-codec-endpoint', uiCodecEndpoint]),
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
