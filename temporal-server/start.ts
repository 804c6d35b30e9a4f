// Starts one Temporal development server from a binary, waits until it serves, and stops it.
// Which binary that is, resolve.ts decides.
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
/** Temporal picks most of its ports itself and listens on them later: another process may have taken one meanwhile. */
const TAKEN_MEANWHILE = 'address already in use';
const STARTS = 3;

/** Our own server is asked, so what a developer configured for other servers must not apply. */
const ASK_AS_IS = ['--disable-config-env', '--disable-config-file'];
/** What waits in a queue is handed out by turns of connections (docs/decisions/0014-queues-and-fairness.md). */
const FAIRNESS = 'matching.enableFairness=true';
/** Turns are taken within each partition of a queue, and a poll is given any: with the usual four, turns hold on the average only. */
const ONE_PARTITION = ['matching.numTaskqueueReadPartitions=1', 'matching.numTaskqueueWritePartitions=1'];
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
  /** Each as `key=JSON value`. */
  dynamicConfig?: readonly string[] | undefined;
  /** When not given, warnings, but for those that every stop brings. */
  logLevel?: 'debug' | 'info' | 'warn' | 'error' | 'never' | undefined;
  /** Every line the server writes. */
  onOutput?: ((line: string) => void) | undefined;
}

/** Stop workers before it: they would log every poll that fails. */
export interface RunningTemporal extends Detached {
  address: string;
  uiAddress: string | undefined;
}

/** Resolves when the server answers. Throws with its last lines when it does not. */
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
 * Throws an error that names the port when it is taken. Asked here because a foreign Temporal on that port would
 * answer our health check, and pass for the server that has just failed to start.
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
  const { port, uiPort, uiCodecEndpoint, dbFilename, logLevel } = options;
  const dynamicConfig = [TIME_SKIPPING, FAIRNESS, ...ONE_PARTITION, ...(options.dynamicConfig ?? [])];
  return [
    ...['server', 'start-dev', '--ip', LOOPBACK, '--port', String(port)],
    ...(logLevel === undefined ? [] : ['--log-level', logLevel]),
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
