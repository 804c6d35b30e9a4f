// The environment of `payto`.

export interface PaytoEnvironment {
  PAYTO_URL?: string | undefined;
  PAYTO_API_KEY?: string | undefined;
  PAYTO_PROFILE?: string | undefined;
  PAYTO_SANDBOX_URL?: string | undefined;
  PAYTO_CONSOLE_URL?: string | undefined;
  XDG_CONFIG_HOME?: string | undefined;
}

const NAMES = [
  'PAYTO_URL',
  'PAYTO_API_KEY',
  'PAYTO_PROFILE',
  'PAYTO_SANDBOX_URL',
  'PAYTO_CONSOLE_URL',
  'XDG_CONFIG_HOME',
] as const;

/** An empty variable counts as missing. */
export function readEnvironment(environment: NodeJS.ProcessEnv = process.env): PaytoEnvironment {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = environment[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}
