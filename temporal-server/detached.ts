// A process in a group of its own: read line by line, stopped in order, and ended should this process die first.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { execa } from 'execa';

const KEPT_LINES = 30;

export interface Exit {
  exitCode: number | undefined;
  signal: string | undefined;
  /** The last that the process wrote, which is where it says why. */
  lastLines: readonly string[];
}

export interface Detached {
  pid: number;
  /** As it stands now. */
  lastLines: readonly string[];
  /** Settles when the process is gone, asked for or not; never rejects. */
  exited: Promise<Exit>;
  /** SIGTERM, and SIGKILL when its time is up. */
  stop(): Promise<void>;
}

export interface DetachedOptions {
  /** For messages. */
  name: string;
  path: string;
  args: readonly string[];
  cwd?: string;
  /** All of it. Left out, the process inherits ours. */
  environment?: Readonly<Record<string, string>>;
  stopWithinMs: number;
  /** Every line that the process writes. */
  onLine: (line: string) => void;
}

/**
 * In a group of its own, because a terminal's Ctrl-C goes to a whole group: all processes would end at once instead of
 * in order. The tether ends the process should this one not come to that.
 */
export async function startDetached(options: DetachedOptions): Promise<Detached> {
  const { name, path, args, cwd = process.cwd(), environment, stopWithinMs, onLine } = options;
  const child = execa(path, args, {
    cwd,
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
    const { shortMessage = 'no process came of it' } = await child;
    throw new Error(`${name} did not start: ${shortMessage}`);
  }
  const lastLines: string[] = [];
  createInterface({ input: child.all }).on('line', (line) => {
    if (lastLines.push(line) > KEPT_LINES) lastLines.shift();
    onLine(line);
  });
  const release = tether(pid);
  const exited = child.then(({ exitCode, signal }) => {
    release();
    return { exitCode, signal, lastLines };
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  return { pid, lastLines, exited, stop };
}

/** For people: how a process ended and the last that it wrote. */
export function describeExit({ exitCode, signal, lastLines }: Exit): string {
  const how = signal === undefined ? `exit code ${exitCode ?? 'unknown'}` : signal;
  return [how, ...lastLines].join('\n  ');
}

/** Reads until its input ends, which the kernel sees to when we die, and then stops the process that it was given. */
const WATCH = 'read -r _; kill -TERM "$1" 2>/dev/null';

/**
 * Without it a crash, a closed terminal or a SIGKILL of ours would leave a process behind that keeps its port and its
 * files. Call the answer once the process has ended by itself. Windows has no such watcher.
 */
export function tether(pid: number): () => void {
  if (process.platform === 'win32') return () => undefined;
  const watcher = spawn('sh', ['-c', WATCH, 'temporal-tether', String(pid)], {
    detached: true, // or Ctrl-C would end the watcher first
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', () => undefined); // no sh: no tether, and the process is still of use
  return () => void watcher.kill('SIGKILL');
}
