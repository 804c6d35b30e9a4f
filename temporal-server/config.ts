// The environment of the Temporal server. The only file of temporal-server/ that reads it.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The variables that only temporal-server/ reads, each with its default and description. */
export const TEMPORAL_VARIABLES = {
  TEMPORAL_CLI_PATH: { usual: undefined, what: 'a Temporal CLI to use instead of fetching one' },
  XDG_CACHE_HOME: {
    usual: '~/.cache',
    what: 'the folder for `payto-agreements/`, which stores the Temporal server',
  },
} as const;

export interface TemporalEnvironment {
  /** An external server. If set, none is started. */
  address: string | undefined;
  /** A Temporal CLI chosen by the caller. If set, no other is searched for. */
  cliPath: string | undefined;
  /** Outside the work tree, so that `npm ci` and a fresh clone keep the server. */
  cacheFolder: string;
}

/** An empty variable counts as unset, as in a shell or a compose file. */
export function readTemporalEnvironment(variables: NodeJS.ProcessEnv = process.env): TemporalEnvironment {
  const read = (name: 'TEMPORAL_ADDRESS' | keyof typeof TEMPORAL_VARIABLES): string | undefined =>
    variables[name]?.trim() || undefined;
  const cliPath = read('TEMPORAL_CLI_PATH');
  return {
    address: read('TEMPORAL_ADDRESS'),
    cliPath: cliPath === undefined ? undefined : resolve(cliPath),
    cacheFolder: join(read('XDG_CACHE_HOME') ?? join(homedir(), '.cache'), 'payto-agreements', 'temporal'),
  };
}
