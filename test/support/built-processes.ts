import { join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { builtOf, startNode, type NodeProcess } from './processes.js';
import { readFile } from 'node:fs/promises';

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

// prettier-ignore
const TEMPORAL_VARIABLES = [
  'ADDRESS', 'NAMESPACE', 'API_KEY', 'CONFIG_FILE', 'PROFILE', 'TLS', 'TLS_CLIENT_CERT_DATA', 'TLS_CLIENT_CERT_PATH',
  'TLS_CLIENT_KEY_DATA', 'TLS_CLIENT_KEY_PATH', 'TLS_SERVER_CA_CERT_DATA', 'TLS_SERVER_CA_CERT_PATH', 'TLS_SERVER_NAME',
].map((name) => `TEMPORAL_${name}`);

export async function variablesReadBy(room: string): Promise<Set<string>> {
  const textOf = (file: string) => readFile(new URL(`../../${room}/${file}`, import.meta.url), 'utf8');
  const own = await textOf('config.ts');
  const shared = own.includes('HIGH_RISK_VARIABLES')
    ? await textOf('../domain/client/high-risk.schema.ts')
    : '';
  const config = own + shared + (await textOf('../settings/forms.ts'));
  const names = [...config.matchAll(/\b(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|DOCS)\b/g)].map(([name]) => name);
  const isTemporals = own.includes('settings/read.js');
  return new Set([...names, ...(isTemporals ? TEMPORAL_VARIABLES : [])]);
}
