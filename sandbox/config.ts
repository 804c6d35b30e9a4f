// The sandbox's settings as one table. The only file of the sandbox that reads the environment.
import { z } from 'zod';

const HttpUrl = z.url({ protocol: /^https?$/ });

export const SandboxConfig = z.object({
  host: z.string().min(1).default('127.0.0.1').describe('the address to listen on'),
  port: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8090)
    .describe('the port of the sandbox; `0` for a free port'),
  webhookUrl: HttpUrl.default('http://127.0.0.1:8080/webhooks').describe('the URL that receives webhooks'),
  webhookSecret: z.string().min(1).default('sandbox-webhook-secret').describe('the webhook signing secret'),
  clientId: z.string().min(1).default('sandbox-client').describe('the OAuth client id'),
  clientSecret: z.string().min(1).default('sandbox-client-secret').describe('the OAuth client secret'),
  redirectUri: HttpUrl.default('http://127.0.0.1:8080/oauth/callback').describe('the OAuth redirect URI'),
  dataFile: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe('the file that stores all data; if unset, data is lost on exit'),
  seed: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .default(null)
    .describe('the seed for random faults; if unset, the one in the data file, else a random one'),
});
export type SandboxConfig = z.output<typeof SandboxConfig>;

/** The environment variable of each setting, and its expected value. */
export const VARIABLES: Record<keyof SandboxConfig, { name: string; expected: string }> = {
  host: { name: 'SANDBOX_HOST', expected: 'an address to bind, such as 127.0.0.1 or 0.0.0.0' },
  port: { name: 'SANDBOX_PORT', expected: 'a whole number from 0 (any free port) to 65535' },
  webhookUrl: { name: 'SANDBOX_WEBHOOK_URL', expected: 'an http or https URL' },
  webhookSecret: { name: 'SANDBOX_WEBHOOK_SECRET', expected: 'a non-empty string' },
  clientId: { name: 'SANDBOX_CLIENT_ID', expected: 'a non-empty string' },
  clientSecret: { name: 'SANDBOX_CLIENT_SECRET', expected: 'a non-empty string' },
  redirectUri: { name: 'SANDBOX_REDIRECT_URI', expected: 'an http or https URL' },
  dataFile: { name: 'SANDBOX_DATA_FILE', expected: 'a path to a file' },
  seed: { name: 'SANDBOX_SEED', expected: 'a number or a string of at most 200 characters' },
};

/** A variable has an invalid value. The message is one line to show to the operator. */
export class ConfigError extends Error {}

/** Reads `SANDBOX_*`. An empty variable counts as unset. Errors do not repeat the value, because it may be a secret. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): SandboxConfig {
  const given = Object.entries(VARIABLES)
    .map(([key, { name }]) => [key, environment[name]] as const)
    .filter(([, value]) => value !== undefined && value !== '');
  const parsed = SandboxConfig.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const wrong = new Set(parsed.error.issues.map((issue) => String(issue.path[0])));
  const sentences = Object.entries(VARIABLES)
    .filter(([key]) => wrong.has(key))
    .map(([, { name, expected }]) => `${name} must be ${expected}`);
  throw new ConfigError(sentences.join('; '));
}
