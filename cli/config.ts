// The environment of `npm start` and `npm run demo`. The only file of cli/ that reads it.
// It covers which processes to start and where; each process reads its own settings itself.
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
  .transform((url) => url.replace(/(?<!\/)\/+$/, ''));

/** Settings that a started process reads itself are described in its own config. */
export const StartEnvironment = z.object({
  API_PORT: port(8080),
  ADMIN_PORT: port(8081),
  SANDBOX_PORT: port(8090),
  METRICS_PORT: port(9464, 0),
  TEMPORAL_PORT: port(7233).describe('the port of the Temporal server that `npm start` starts'),
  TEMPORAL_UI_PORT: port(8233).describe('the port of its UI'),
  RECORDS_PORT: port(5433).describe('the port of the PostgreSQL server that `npm start` starts'),
  RECORDS_URL: z.string().optional(),
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_UI_URL: httpUrl.optional(),
  PAYMENTS_API_URL: httpUrl.optional(),
  NO_COLOR: z.string().optional().describe('any value disables colours'),
});

export type StartConfig = z.output<typeof StartEnvironment> & {
  hasColour: boolean;
  /** All variables that are set, for the started processes. */
  variables: Variables;
};

/** The settings that a real provider requires besides its URL. */
const OF_THE_PROVIDER: Variables = {
  PAYMENTS_AUTH_URL: 'the base URL of the authorisation server',
  OAUTH_CLIENT_ID: 'the client id of the registered application',
  OAUTH_CLIENT_SECRET: 'its client secret',
  OAUTH_REDIRECT_URI: 'the registered redirect URI, which ends in /oauth/callback of this API',
  OAUTH_SCOPES: 'the scopes to request, separated by spaces',
  WEBHOOK_VERIFIER: 'hmac, standard or bearer',
  WEBHOOK_SECRETS: 'the secrets of the webhooks, comma-separated',
};

/** Throws one line for each missing or invalid variable. An empty one counts as missing. */
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
  /^(TEMPORAL|PAYMENTS|OAUTH|WEBHOOK|SANDBOX|API|METRICS|CODEC|SWEEP|PAYLOADS|RECORDS|WORKER|CONSENT|TOKEN|ADMIN|SETTLEMENT|CREDIT|API_RATE)_|^(ENCRYPTION_KEYS|SESSION_KEYS|RETURN_URLS|DUAL_CONTROL|DOCS|INSECURE_SANDBOX|ALLOW_PLAINTEXT_TO|TASK_QUEUE|MAX_CACHED_WORKFLOWS)$/;

/** For the demo, which is the same on every machine: all variables except those of this product. */
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
    `PAYMENTS_API_URL is set, so the product uses the real provider instead of the sandbox. Also required:\n${lines.join('\n')}\n` +
      'Set them, or unset PAYMENTS_API_URL to use the sandbox.',
  );
}

const setVariables = (environment: NodeJS.ProcessEnv): Variables =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, value]] : [])),
  );
