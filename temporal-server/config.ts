// What the environment says about the Temporal server. The only file of this room that reads it.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The variables that only this room reads, each with its default and what it is for. */
export const TEMPORAL_VARIABLES = {
  TEMPORAL_CLI_PATH: { usual: undefined, what: 'a Temporal CLI to use instead of building one' },
  XDG_CACHE_HOME: {
    usual: '~/.cache',
    what: 'the Temporal server that was built is kept in `payto-agreements/` there',
  },
} as const;

export interface TemporalEnvironment {
  /** A server that runs elsewhere; when set, nothing is started here. */
  address: string | undefined;
  /** A Temporal CLI that the caller chose; when set, no other is searched for. */
  cliPath: string | undefined;
  /** Outside the work tree, so that `npm ci` and a fresh clone keep what was built. */
  cacheFolder: string;
}

/** An empty variable counts as one that is not set, as in a shell or a compose file. */
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
