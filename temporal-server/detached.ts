// A process in its own group: read line by line, stopped in order, and ended if this process dies first.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { execa } from 'execa';

const KEPT_LINES = 30;

export interface Exit {
  exitCode: number | undefined;
  signal: string | undefined;
  /** The last lines of output, which usually state the reason. */
  lastLines: readonly string[];
}

export interface Detached {
  pid: number;
  /** The current last lines of output. */
  lastLines: readonly string[];
  /** Settles when the process has ended, requested or not. Never rejects. */
  exited: Promise<Exit>;
  /** Sends the stop signal, and SIGKILL after the time limit. */
  stop(): Promise<void>;
}

export interface DetachedOptions {
  /** For messages. */
  name: string;
  path: string;
  args: readonly string[];
  cwd?: string;
  /** The complete environment. If absent, the process inherits ours. */
  environment?: Readonly<Record<string, string>>;
  stopWithinMs: number;
  /** Default: SIGTERM. */
  stopSignal?: 'SIGTERM' | 'SIGINT';
  /** The user that the process runs as. Only root can change it. */
  owner?: { uid: number; gid: number } | undefined;
  /** Called for every line of output. */
  onLine: (line: string) => void;
}

/**
 * Starts a process in its own group. A terminal's Ctrl-C goes to a whole group, so otherwise all processes would end at once
 * instead of in order. The tether ends the process if this one dies before it stops it.
 */
export async function startDetached(options: DetachedOptions): Promise<Detached> {
  const { name, path, args, cwd = process.cwd(), environment, stopWithinMs, onLine } = options;
  const { stopSignal = 'SIGTERM' } = options;
  const child = execa(path, args, {
    cwd,
    ...options.owner,
    env: environment ?? {},
    extendEnv: environment === undefined,
    detached: true,
    stdin: 'ignore',
    all: true,
    buffer: false,
    reject: false,
    forceKillAfterDelay: stopWithinMs,
  });
  const { pid } = child;
  if (pid === undefined) {
    const { shortMessage = 'the system created no process' } = await child;
    throw new Error(`${name} did not start: ${shortMessage}`);
  }
  const lastLines: string[] = [];
  createInterface({ input: child.all }).on('line', (line) => {
    if (lastLines.push(line) > KEPT_LINES) lastLines.shift();
    onLine(line);
  });
  const release = tether(pid, stopSignal);
  const exited = child.then(({ exitCode, signal }) => {
    release();
    return { exitCode, signal, lastLines };
  });
  const stop = async (): Promise<void> => {
    child.kill(stopSignal);
    await exited;
  };
  return { pid, lastLines, exited, stop };
}

/** For people: the end of a process and its last lines of output. */
export function describeExit({ exitCode, signal, lastLines }: Exit): string {
  const how = signal === undefined ? `exit code ${exitCode ?? 'unknown'}` : signal;
  return [how, ...lastLines].join('\n  ');
}

/** Reads until its input ends, which the kernel ensures when we die, and then stops the given process. */
const WATCH = 'read -r _; kill -s "$2" "$1" 2>/dev/null';

/**
 * Without it a crash, a closed terminal or a SIGKILL would leave the process behind with its port and files. Call the
 * returned function after the process has ended. Not available on Windows.
 */
export function tether(pid: number, signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): () => void {
  if (process.platform === 'win32') return () => undefined;
  const watcher = spawn('sh', ['-c', WATCH, 'temporal-tether', String(pid), signal.slice('SIG'.length)], {
    detached: true, // Otherwise Ctrl-C would end the watcher first.
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', () => undefined); // Without sh there is no tether, but the process still works.
  return () => void watcher.kill('SIGKILL');
}
