// What the environment says to `npm start` and `npm run demo`. The only file of this room that reads it.
// What a process needs for itself it reads by itself: this is about which processes there are, and where.
import { z } from 'zod';

export type Variables = Readonly<Record<string, string>>;

const port = (fallback: number, least = 1) => {
  const expected = `expected a port, ${least} to 65535`;
  return z
    .string()
    .regex(/^\d{1,5}$/, expected)
    .transform(Number)
    .refine((value) => value >= least && value <= 65_535, expected)
    .default(fallback);
};
const httpUrl = z
  .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
  .transform((url) => url.replace(/\/+$/, ''));

/** What a started process reads itself is described in that process's own config. */
export const StartEnvironment = z.object({
  API_PORT: port(8080),
  SANDBOX_PORT: port(8090),
  METRICS_PORT: port(9464, 0),
  TEMPORAL_PORT: port(7233).describe('the port of the Temporal server that `npm start` starts'),
  TEMPORAL_UI_PORT: port(8233).describe('the port of its UI'),
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_UI_URL: httpUrl.optional(),
  PAYMENTS_API_URL: httpUrl.optional(),
  NO_COLOR: z.string().optional().describe('set to anything: no colours'),
});

export type StartConfig = z.output<typeof StartEnvironment> & {
  hasColour: boolean;
  /** For the processes that we start: everything that is set. */
  variables: Variables;
};

/** What calls to a real provider need besides its URL. */
const OF_THE_PROVIDER: Variables = {
  PAYMENTS_AUTH_URL: 'the base URL of the authorisation server',
  OAUTH_CLIENT_ID: 'the client id of the registered application',
  OAUTH_CLIENT_SECRET: 'its client secret',
  OAUTH_REDIRECT_URI: 'the redirect URI as registered, ending in /oauth/callback of this API',
  OAUTH_SCOPES: 'the scopes to ask for, separated by spaces',
  WEBHOOK_VERIFIER: 'hmac, standard or bearer',
  WEBHOOK_SECRETS: 'the secrets of the webhooks, comma-separated',
};

/** Throws one line for each variable that is missing or wrong; an empty one counts as missing. */
export function readStartConfig(environment: NodeJS.ProcessEnv = process.env): StartConfig {
  const variables = setVariables(environment);
  const parsed = StartEnvironment.safeParse(variables);
  if (!parsed.success) {
    throw new Error(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'),
    );
  }
  if (parsed.data.PAYMENTS_API_URL !== undefined) requireProvider(variables);
  return { ...parsed.data, hasColour: parsed.data.NO_COLOR === undefined, variables };
}

const OURS =
  /^(TEMPORAL|PAYMENTS|OAUTH|WEBHOOK|SANDBOX|API|METRICS|CODEC|SWEEP|PAYLOADS)_|^(ENCRYPTION_KEYS|TASK_QUEUE|MAX_CACHED_WORKFLOWS)$/;

/** For the demo, which is the same on every machine: everything that is set, but for what speaks of this product. */
export function readForeignVariables(environment: NodeJS.ProcessEnv = process.env): Variables {
  return without(OURS, setVariables(environment));
}

export const without = (names: RegExp, variables: Variables): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !names.test(name)));

function requireProvider(variables: Variables): void {
  const missing = Object.entries(OF_THE_PROVIDER).filter(([name]) => variables[name] === undefined);
  if (missing.length === 0) return;
  const lines = missing.map(([name, expected]) => `  ${name}: expected ${expected}`);
  throw new Error(
    `PAYMENTS_API_URL is set, so the real provider is used instead of the sandbox. It also needs:\n${lines.join('\n')}\n` +
      'Set them, or unset PAYMENTS_API_URL to use the sandbox.',
  );
}

const setVariables = (environment: NodeJS.ProcessEnv): Variables =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, value]] : [])),
  );
