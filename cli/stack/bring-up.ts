// Starts the whole product on one machine, in order of dependency.
import { startPostgres } from '../../postgres-server/start.js';
import { describeExit, startDetached } from '../../temporal-server/detached.js';
import { readTemporalEnvironment } from '../../temporal-server/config.js';
import { freePort } from '../../temporal-server/free-port.js';
import { resolveTemporal } from '../../temporal-server/binary/resolve.js';
import { startTemporal } from '../../temporal-server/start.js';
import { hereIn, launch, programArgs, type Program, type ProgramName } from './child.js';
import type { Variables } from '../config.js';
import type { ProcessGroup } from './process-group.js';
import { openUiProxy } from './ui-proxy.js';
import { announced } from '../api/waiting.js';
import {
  apiEnvironment,
  apiUrl,
  codecUrl,
  migrateEnvironment,
  sandboxEnvironment,
  sandboxUrl,
  consoleUrl,
  signInUrl,
  workerEnvironment,
  type Wiring,
} from './wiring.js';

/** Bundling workflows from source is slow on a slow machine. */
const READY_WITHIN_MS: Record<ProgramName, number> = { sandbox: 30_000, worker: 120_000, api: 30_000 };
/** Longer than the time that each process allows itself to finish its work in progress. */
const STOP_WITHIN_MS: Record<ProgramName, number> = { sandbox: 15_000, worker: 65_000, api: 15_000 };
const READY_LINES: Record<ProgramName, RegExp> = {
  sandbox: /^sandbox listening on /,
  worker: /^worker polling /,
  api: /^api listening on /,
};

export type ProcessName = 'records' | 'temporal' | ProgramName;

export interface Surroundings {
  group: ProcessGroup;
  /** Prints progress for the person who waits. */
  print: (line: string) => void;
  onLine: (name: ProcessName, line: string) => void;
  /** The folder of a build to run instead of the code beside this file. */
  build?: string | undefined;
}

export interface Stack {
  apiUrl: string;
  apiKey: string;
  sandboxUrl: string | undefined;
  temporalAddress: string | undefined;
  temporalUiUrl: string | undefined;
  /** Where an operator signs in to decrypt payloads in Temporal's UI. */
  signInUrl: string;
  /** The console of the API. */
  consoleUrl: string;
  pids: { worker: number; api: number };
}

/** Resolves when all processes are ready. After a failure, the group stops those already started. */
export async function bringUp(wiring: Wiring, surroundings: Surroundings): Promise<Stack> {
  await startOwnPostgres(wiring, surroundings);
  await startOwnTemporal(wiring, surroundings);
  const start = (name: ProgramName, environment: Variables): Promise<Program> =>
    startProgram(name, { wiring, surroundings, environment });
  if (wiring.sandbox !== undefined) await start('sandbox', sandboxEnvironment(wiring));
  await migrate(wiring, surroundings);
  const worker = await start('worker', workerEnvironment(wiring));
  const environment = apiEnvironment(wiring);
  const api = await start('api', environment);
  return {
    apiUrl: apiUrl(wiring),
    apiKey: wiring.secrets.api_key,
    sandboxUrl: sandboxUrl(wiring),
    temporalAddress: environment['TEMPORAL_ADDRESS'],
    temporalUiUrl: environment['TEMPORAL_UI_URL'],
    signInUrl: signInUrl(wiring),
    consoleUrl: consoleUrl(wiring),
    pids: { worker: worker.pid, api: api.pid },
  };
}

/** It is the first to start, and so the last to stop: the worker still stores changes while it stops. */
export async function startOwnPostgres(
  { records, secrets }: Wiring,
  { group, print, onLine }: Surroundings,
): Promise<void> {
  if (records === undefined) return;
  const running = await announced(print, 'starting PostgreSQL', () =>
    startPostgres({
      ...records,
      password: secrets.records_owner_password,
      onOutput: (line) => void (group.isStopping() || onLine('records', line)),
    }),
  );
  group.add({ name: 'PostgreSQL', ...running });
}

/** Creates the schema, or brings it up to date. A server of someone else is migrated only if RECORDS_ADMIN_URL is set. */
export async function migrate(wiring: Wiring, { group, print, onLine, build }: Surroundings): Promise<void> {
  const environment = migrateEnvironment(wiring);
  if (environment['RECORDS_ADMIN_URL'] === undefined) return;
  const child = await startDetached({
    name: 'migrate',
    path: process.execPath,
    args: programArgs('migrate', hereIn(build)),
    cwd: wiring.root,
    environment,
    stopWithinMs: STOP_WITHIN_MS.api,
    onLine: (line) => onLine('records', line),
  });
  const exit = await announced(print, 'migrating the records', () => group.guard(child.exited)).catch(
    async (error: unknown) => {
      await child.stop();
      throw error;
    },
  );
  if (exit.exitCode !== 0) throw new Error(`npm run migrate failed (${describeExit(exit)})`);
}

async function startOwnTemporal(wiring: Wiring, { group, print, onLine }: Surroundings): Promise<void> {
  const { temporal } = wiring;
  if (temporal === undefined) return;
  const environment = { ...readTemporalEnvironment(), address: undefined };
  const binary = await group.guard(resolveTemporal(environment, { onProgress: print }));
  if (binary.kind !== 'binary') throw new Error('expected a local Temporal server; resolved a remote one');
  // Not guarded: startTemporal stops a server that fails to start, and a started one must join the group.
  const behind = await freePort();
  const running = await announced(print, 'starting Temporal', () =>
    startTemporal({
      path: binary.path,
      ...temporal,
      uiPort: behind,
      uiCodecEndpoint: codecUrl(wiring),
      onOutput: (line) => void (group.isStopping() || onLine('temporal', line)),
    }),
  );
  group.add({ name: 'temporal', ...running });
  const close = await openUiProxy({ port: temporal.uiPort, behind, signInUrl: signInUrl(wiring) });
  void running.exited.then(close);
}

export interface Given {
  wiring: Wiring;
  surroundings: Surroundings;
  environment: Variables;
}

/** Starts one process, adds it to the group, and waits until it is ready. */
export async function startProgram(
  name: ProgramName,
  { wiring, surroundings, environment }: Given,
): Promise<Program> {
  const { group, print, onLine, build } = surroundings;
  const program = await launch({
    name,
    args: programArgs(name, hereIn(build)),
    cwd: wiring.root,
    environment,
    readyLine: READY_LINES[name],
    readyWithinMs: READY_WITHIN_MS[name],
    stopWithinMs: STOP_WITHIN_MS[name],
    onLine: (line) => onLine(name, line),
  });
  group.add(program);
  await announced(print, `waiting for ${name}`, () => group.guard(program.ready));
  return program;
}
