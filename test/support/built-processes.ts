// Built processes for tests: dist/ made once for all who ask, and each process started as a container would start it.
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { ROOT, variablesReadBy } from '../../tools/compose/files.js';
import { eventually } from './temporal.js';

export const BUILD_LIMIT_MS = 300_000;
export type Room = 'api' | 'sandbox' | 'worker';

/** dist/ as the sources are now. Files that ask at the same time wait for one build. */
export async function ensureBuilt(): Promise<void> {
  await execa('npm', ['run', '--silent', 'build', '--', '--if-stale'], { cwd: ROOT, all: true });
}

export interface Started {
  /** Everything it has written so far, errors included. */
  output: () => string;
  /** Asks it to end, and resolves to its exit code. */
  stop: () => Promise<number | undefined>;
  /** The exit code of one that ends by itself. */
  ended: Promise<number | undefined>;
}

/** Starts it with these variables and no others; `PATH` and `HOME` are what an image always has. */
export function start(room: Room, variables: Readonly<Record<string, string>>): Started {
  const written: string[] = [];
  const child = execa(process.execPath, [`dist/${room}/main.js`], {
    cwd: ROOT,
    env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', NODE_ENV: 'production', ...variables },
    extendEnv: false,
    reject: false,
    all: true,
    buffer: false,
    stdin: 'ignore',
  });
  child.all.on('data', (chunk: Buffer) => written.push(chunk.toString()));
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = child.then(({ exitCode }) => exitCode);
  return {
    output: () => written.join(''),
    ended,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** The same, once it has written a line that matches; fails with what it wrote when it ends before that. */
export async function started(
  room: Room,
  variables: Readonly<Record<string, string>>,
  line: RegExp,
): Promise<Started> {
  const process = start(room, variables);
  const gone = process.ended.then((code) => {
    throw new Error(`${room} ended with ${code ?? 'a signal'} while starting: ${process.output()}`);
  });
  await Promise.race([
    eventually(
      () => Promise.resolve(process.output()),
      (text) => line.test(text),
    ),
    gone,
  ]);
  return process;
}

/** Names that the room's own configuration does not know. */
export async function undocumented(room: Room, variables: object): Promise<string[]> {
  const known = await variablesReadBy(room);
  return Object.keys(variables).filter((name) => !known.has(name));
}
