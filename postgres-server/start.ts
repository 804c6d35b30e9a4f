// Starts one PostgreSQL server from the embedded binaries, waits until it answers, and stops it.
import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { describeExit, startDetached, type Detached } from '../temporal-server/detached.js';
import { LOOPBACK } from '../temporal-server/free-port.js';
import { requireFreePort } from '../temporal-server/start.js';
import { findBinaries, type Binaries, type Owner } from './binaries.js';

/** The superuser, which owns all databases. */
export const POSTGRES_OWNER = 'payto_owner';

const READY = /database system is ready to accept connections/;
const READY_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 20_000;
/** A left server has no clients that need more time. */
const LEFT_WITHIN_MS = 5000;
const POLL_MS = 50;
const IN_USE_PAUSE_MS = 500;

export interface StartPostgresOptions {
  /** The data is stored here, or, if the user that runs the server cannot reach it, in a folder named after it. */
  folder: string;
  port: number;
  /** Of the superuser. The first start sets it. */
  password: string;
  /** The data is deleted at the stop, and may be lost if the machine stops. Faster. */
  isDisposable?: boolean;
  /** Called for every line of output except routine ones. */
  onOutput?: ((line: string) => void) | undefined;
}

/** Stop everything that uses it first. */
export interface RunningPostgres extends Detached {
  port: number;
  /** The data folder. */
  data: string;
  /** As the superuser. */
  urlOf: (database: string) => string;
}

/** Resolves when the server answers. Stops a server that a killed process has left in the folder. Throws with its last lines of output. */
export async function startPostgres(options: StartPostgresOptions): Promise<RunningPostgres> {
  const { port, password, isDisposable = false } = options;
  const binaries = await findBinaries();
  const root = await reachable(options.folder, binaries.owner);
  const data = join(root, 'data');
  await stopLeftOver(data);
  await requireFreePort(port, 'PostgreSQL');
  await initialise(data, binaries, password);
  const server = await launchSoon(data, binaries, options);
  const urlOf = (database: string): string =>
    `postgres://${POSTGRES_OWNER}:${encodeURIComponent(password)}@${LOOPBACK}:${port}/${database}`;
  const stop = async (): Promise<void> => {
    await server.stop();
    if (isDisposable) await rm(root, { recursive: true, force: true });
  };
  return { ...server, port, data, urlOf, stop };
}

/** Deletes the data of a server that is not running. */
export async function forgetPostgres(folder: string): Promise<void> {
  for (const one of [folder, substituteOf(folder)]) {
    await stopLeftOver(join(one, 'data'));
    await rm(one, { recursive: true, force: true });
  }
}

/** Root runs the server as another user, which may not reach a folder below a closed one. */
async function reachable(folder: string, owner: Owner | undefined): Promise<string> {
  if (owner === undefined) {
    await mkdir(folder, { recursive: true });
    return folder;
  }
  for (const one of [resolve(folder), substituteOf(folder)]) {
    await mkdir(one, { recursive: true });
    await chown(one, owner.uid, owner.gid);
    if (!(await execa('ls', [one], { ...owner, cwd: '/', reject: false })).failed) return one;
    await rm(one, { recursive: true });
  }
  throw new Error(`PostgreSQL: expected a folder that its user can reach; ${substituteOf(folder)} is not`);
}

const substituteOf = (folder: string): string => {
  const name = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16);
  return `/var/tmp/payto-agreements-${name}`;
};

/** A server outlives a parent that was killed together with its tether. Two servers on one folder are impossible, so it must go. */
async function stopLeftOver(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return;
  if (!(await isServerOf(pid, data))) return rm(file, { force: true });
  process.kill(pid, 'SIGINT');
  for (let waitedMs = 0; await isServerOf(pid, data); waitedMs += POLL_MS) {
    if (waitedMs >= LEFT_WITHIN_MS) process.kill(pid, 'SIGKILL');
    await delay(POLL_MS);
  }
  // A killed server leaves the file. Until its parent has read its exit code, its number still counts as that of a process.
  await rm(file, { force: true });
}

/** Another process may have the number of a dead server. */
async function isServerOf(pid: number, data: string): Promise<boolean> {
  const { stdout, failed } = await execa('ps', ['-o', 'args=', '-p', String(pid)], { reject: false });
  return !failed && stdout.includes(data);
}

/** Creates the data folder once. It appears complete or not at all. */
async function initialise(data: string, { bin, owner }: Binaries, password: string): Promise<void> {
  if ((await stat(data).catch(() => undefined)) !== undefined) return;
  const fresh = `${data}.new`;
  const passwordFile = `${data}.password`;
  await rm(fresh, { recursive: true, force: true });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (owner !== undefined) await chown(passwordFile, owner.uid, owner.gid);
  try {
    await execa(
      join(bin, 'initdb'),
      [
        ...['--pgdata', fresh, '--username', POSTGRES_OWNER, '--pwfile', passwordFile],
        ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-locale', '--no-sync'],
      ],
      { ...owner, cwd: '/' },
    );
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`PostgreSQL: initdb failed in ${fresh}: ${why}`, { cause: error });
  } finally {
    await rm(passwordFile, { force: true });
  }
  await chmod(fresh, 0o700);
  await rename(fresh, data);
}

/** The processes of a killed server end within a second. Until then PostgreSQL refuses to start on their memory. */
async function launchSoon(
  data: string,
  binaries: Binaries,
  options: StartPostgresOptions,
  startsLeft = 5,
): Promise<Detached> {
  try {
    return await launch(data, binaries, options);
  } catch (error) {
    const isInUse = error instanceof Error && /shared memory/.test(error.message);
    if (!isInUse || startsLeft === 1) throw error;
    await delay(IN_USE_PAUSE_MS);
    return launchSoon(data, binaries, options, startsLeft - 1);
  }
}

async function launch(
  data: string,
  { bin, owner }: Binaries,
  { port, isDisposable = false, onOutput = () => undefined }: StartPostgresOptions,
): Promise<Detached> {
  let announce: () => void = () => undefined;
  const ready = new Promise<void>((done) => {
    announce = done;
  });
  const server = await startDetached({
    name: 'PostgreSQL',
    path: join(bin, 'postgres'),
    args: argumentsFor(data, port, isDisposable),
    cwd: '/',
    owner,
    stopSignal: 'SIGINT', // A fast shutdown. SIGTERM would wait for all clients.
    stopWithinMs: STOP_WITHIN_MS,
    onLine: (line) => {
      if (READY.test(line)) announce();
      if (!ROUTINE.test(line)) onOutput(line);
    },
  });
  await inTime(server, ready);
  return server;
}

/** @throws Error if the server stops or is late. A late one is stopped. */
async function inTime(server: Detached, ready: Promise<void>): Promise<void> {
  let isReady = false;
  const late = new AbortController();
  const outcome = await Promise.race([
    ready.then(() => (isReady = true)),
    server.exited,
    delay(READY_WITHIN_MS, undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
  if (isReady) return;
  if (typeof outcome === 'object')
    throw new Error(`PostgreSQL stopped while starting (${describeExit(outcome)})`);
  await server.stop();
  throw new Error(`PostgreSQL is not ready after ${READY_WITHIN_MS / 1000} s`);
}

const ROUTINE = /\b(LOG|HINT): /;
const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

function argumentsFor(data: string, port: number, isDisposable: boolean): string[] {
  const settings = [
    `port=${port}`,
    `listen_addresses=${LOOPBACK}`,
    'unix_socket_directories=',
    'max_connections=200',
    ...(isDisposable ? FAST : []),
  ];
  return ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
}
