// One process of ours: started, listened to line by line, known to be ready, and stopped.
// Which processes there are, and in which order, is stack.ts.
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { describeExit, type TemporalExit } from '../tools/temporal/start.js';
import { tether } from '../tools/temporal/tether.js';

const KEPT_LINES = 30;

/** Whatever can be stopped and can stop by itself; Temporal's server is one too. */
export interface Member {
  name: string;
  pid: number;
  /** Settles when it is gone, asked for or not; never rejects. */
  exited: Promise<TemporalExit>;
  /** SIGTERM, and SIGKILL when its time is up. */
  stop(): Promise<void>;
}

export interface Program extends Member {
  /** Resolves with its ready line. Rejects when that is late; when the process is gone, `exited` says so. */
  ready: Promise<string>;
}

export interface LaunchOptions {
  name: string;
  /** Everything after `node`. */
  words: readonly string[];
  cwd: string;
  /** All of it: nothing else is handed on. */
  environment: Readonly<Record<string, string>>;
  readyLine: RegExp;
  readyWithinMs: number;
  stopWithinMs: number;
  onLine: (line: string) => void;
}

/**
 * In a process group of its own: a terminal's Ctrl-C goes to a whole group, and would end all at once what is to
 * end in order. The tether ends it should we be killed.
 */
export async function launch(options: LaunchOptions): Promise<Program> {
  const { name, words, cwd, environment, stopWithinMs } = options;
  const child = execa(process.execPath, words, {
    cwd,
    env: environment,
    extendEnv: false,
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
  const lines = createInterface({ input: child.all }).on('line', (line) => {
    if (lastLines.push(line) > KEPT_LINES) lastLines.shift();
    options.onLine(line);
  });
  const release = tether(pid);
  const exited = child.then(({ exitCode, signal }) => {
    release();
    return { exitCode, signal, lastLines };
  });
  const ready = readiness(options, exited, lastLines, (hear) => void lines.on('line', hear));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  return { name, pid, exited, ready, stop };
}

function readiness(
  { name, readyLine, readyWithinMs }: LaunchOptions,
  exited: Promise<TemporalExit>,
  lastLines: readonly string[],
  listen: (hear: (line: string) => void) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      const expected = `expected a line like ${String(readyLine)}`;
      const met = lastLines.length === 0 ? 'met none at all' : ['met', ...lastLines].join('\n  ');
      reject(new Error(`${name} is not ready after ${readyWithinMs / 1000} s: ${expected}, ${met}`));
    }, readyWithinMs);
    void exited.then(() => clearTimeout(late));
    listen((line) => {
      if (!readyLine.test(line)) return;
      clearTimeout(late);
      resolve(line);
    });
  });
}

/** For people: who went, how, and the last it wrote. */
export const describeLoss = (name: string, exit: TemporalExit): string =>
  `${name} stopped by itself (${describeExit(exit)})`;
