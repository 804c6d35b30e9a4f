// The files that say how the product is run with containers, read and understood.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { interpolate, variablesIn } from './interpolate.js';
import { readCompose } from './schema.js';
import type { Services } from './rules.js';

export const ROOT = join(import.meta.dirname, '..', '..');

// prettier-ignore
/** Read by `@temporalio/envconfig`, which api and worker leave Temporal's own variables to. */
const TEMPORAL_VARIABLES = [
  'ADDRESS', 'NAMESPACE', 'API_KEY', 'CONFIG_FILE', 'PROFILE', 'TLS', 'TLS_CLIENT_CERT_DATA', 'TLS_CLIENT_CERT_PATH',
  'TLS_CLIENT_KEY_DATA', 'TLS_CLIENT_KEY_PATH', 'TLS_SERVER_CA_CERT_DATA', 'TLS_SERVER_CA_CERT_PATH', 'TLS_SERVER_NAME',
].map((name) => `TEMPORAL_${name}`);

export const isThere = (path: string): boolean => existsSync(join(ROOT, path));
const read = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8');

/** Names and values of an env file, the empty ones included. */
export const readVariables = async (path: string) => parseEnv(await read(path));

/** The variables that docker-compose.yml needs from its environment. */
export const askedVariables = async (): Promise<Set<string>> => variablesIn(await read('docker-compose.yml'));

/**
 * The services of docker-compose.yml as these variables make them.
 * @throws Error that names every place that is wrong.
 */
export async function readServices(
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Services> {
  const document: unknown = parse(await read('docker-compose.yml'), { merge: true });
  const { services = {} } = readCompose(interpolate(document, variables));
  return services;
}

/** The variables that a room's config.ts names, as keys of its schema or as texts. It is read, not run. */
export async function variablesReadBy(room: string): Promise<Set<string>> {
  const config = await read(join(room, 'config.ts'));
  const names = [...config.matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)].map(([name]) => name);
  const isTemporals = `${config}${await read(join(room, 'main.ts'))}`.includes('@temporalio/envconfig');
  return new Set([...names, ...(isTemporals ? TEMPORAL_VARIABLES : [])]);
}
