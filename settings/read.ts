// Reads the environment variables of a process, once. Errors name a variable and its expected form, and never quote a value.
import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { temporalSettings, type TemporalSettings } from './temporal.js';
import { unsafeIn } from './unsafe.js';

/** EX_CONFIG of sysexits.h. A restart does not help, so that supervisors may stop restarting. */
export const EXIT_CONFIG = 78;

export type Variables = Readonly<Record<string, string | undefined>>;

/** The invalid variables, one line each: the name, and what was expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly lines: readonly string[]) {
    super(lines.join('\n'));
  }
}

/** Each of these may also be given as `<NAME>_FILE`: the path of a file with the value, such as a mounted secret. */
const SECRETS = [
  'ENCRYPTION_KEYS',
  'TOKEN_KEYS',
  'SESSION_KEYS',
  'OAUTH_CLIENT_SECRET',
  'RECORDS_URL',
  'RECORDS_LISTEN_URL',
  'RECORDS_ADMIN_URL',
  'RECORDS_EXPIRY_URL',
  'RECORDS_AUDIT_URL',
  'TEMPORAL_API_KEY',
] as const;

type Environment = z.ZodObject;

/**
 * Reads and checks all variables. An empty variable counts as missing.
 * @throws ConfigError with one line for each invalid variable.
 */
export function readSettings<Schema extends Environment>(
  environment: Schema,
  variables: Variables,
): z.output<Schema> & { temporal: TemporalSettings } {
  const names = Object.keys(environment.shape);
  const problems = new Map<string, string>();
  const blame = (name: string, message: string): void => {
    if (!problems.has(name)) problems.set(name, `${name}: ${message}`);
  };
  const given = withFiles(setIn(variables), blame);
  const { data, error } = environment.safeParse(given);
  for (const { path, message } of error?.issues ?? []) blame(path.join('.'), message);
  const temporal = temporalSettings(given);
  if (given['INSECURE_SANDBOX'] !== 'on')
    for (const [name, message] of unsafeIn(names, given, temporal)) blame(name, message);
  if (temporal === undefined)
    blame('TEMPORAL_*', 'expected the variables of the Temporal CLI (TEMPORAL_ADDRESS, TEMPORAL_PROFILE, …)');
  if (data === undefined || temporal === undefined || problems.size > 0)
    throw new ConfigError([...problems.values()]);
  return { ...data, temporal };
}

const setIn = (variables: Variables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value?.trim() ? [[name, value]] : [])),
  );

function withFiles(
  given: Record<string, string>,
  blame: (name: string, message: string) => void,
): Record<string, string> {
  const all = { ...given };
  for (const name of SECRETS) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] !== undefined) blame(`${name}_FILE`, `expected either ${name} or ${name}_FILE`);
    const value = contentOf(path);
    if (value === undefined) blame(`${name}_FILE`, 'expected a readable file that is not empty');
    else all[name] = value;
  }
  return all;
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads settings, or prints a line for each invalid variable and ends the process.
 * @param by what reads them, to start each line with.
 */
export function settingsOrStop<Config>(by: string, read: () => Config): Config {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const line of error.lines) console.error(`${by}: ${line}`);
    return process.exit(EXIT_CONFIG);
  }
}
