import { join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { variablesReadBy } from './config-variables.js';
import { builtOf, startNode, type NodeProcess } from './node-process.js';

export const ROOT = join(import.meta.dirname, '..', '..');
export type Room = 'api' | 'sandbox' | 'worker';

export async function ensureBuilt(): Promise<void> {
  await execa('npm', ['run', '--silent', 'build', '--', '--if-stale'], { cwd: ROOT, all: true });
}

export interface Started extends NodeProcess {
  stop: () => Promise<number | undefined>;
}

export function start(room: Room, variables: Readonly<Record<string, string>>): Started {
  const built = startNode([builtOf(room)], { NODE_ENV: 'production', ...variables });
  onTestFinished(() => {
    built.signal('SIGKILL');
  });
  return {
    ...built,
    stop: () => {
      built.signal('SIGTERM');
      return built.ended;
    },
  };
}

export async function started(
  room: Room,
  variables: Readonly<Record<string, string>>,
  line: RegExp,
): Promise<Started> {
  const process = start(room, variables);
  await process.hasWritten(line);
  return process;
}

export async function undocumented(room: Room, variables: object): Promise<string[]> {
  const read = await variablesReadBy(room);
  return Object.keys(variables).filter((name) => !read.has(name));
}
