// The sandbox's settings: one table of variables, parsed once, passed down. The only file of this room that reads the environment.
import { z } from 'zod';

const HttpUrl = z.url({ protocol: /^https?$/ });

/** Every setting of the sandbox. */
export const SandboxConfig = z.object({
  host: z.string().min(1).default('127.0.0.1').describe('the address that the sandbox listens on'),
  port: z.coerce.number().int().min(0).max(65_535).default(8090).describe('its port; `0` for any free one'),
  webhookUrl: HttpUrl.default('http://127.0.0.1:8080/webhooks').describe('where it sends webhooks'),
  webhookSecret: z.string().min(1).default('sandbox-webhook-secret').describe('the secret that signs them'),
  clientId: z
    .string()
    .min(1)
    .default('sandbox-client')
    .describe('the client id of the registered application'),
  clientSecret: z.string().min(1).default('sandbox-client-secret').describe('its client secret'),
  redirectUri: HttpUrl.default('http://127.0.0.1:8080/oauth/callback').describe('its redirect URI'),
  dataFile: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe('the file that keeps its data; without one they end with the process'),
  seed: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .default(null)
    .describe('the seed of its faults; without one that of the data file, or a new one'),
});
export type SandboxConfig = z.output<typeof SandboxConfig>;

/** The variable of each setting, and the value that it expects. */
export const VARIABLES: Record<keyof SandboxConfig, { name: string; expected: string }> = {
  host: { name: 'SANDBOX_HOST', expected: 'an address to bind, such as 127.0.0.1 or 0.0.0.0' },
  port: { name: 'SANDBOX_PORT', expected: 'a whole number from 0 (any free port) to 65535' },
  webhookUrl: { name: 'SANDBOX_WEBHOOK_URL', expected: 'an http or https URL' },
  webhookSecret: { name: 'SANDBOX_WEBHOOK_SECRET', expected: 'a text' },
  clientId: { name: 'SANDBOX_CLIENT_ID', expected: 'a text' },
  clientSecret: { name: 'SANDBOX_CLIENT_SECRET', expected: 'a text' },
  redirectUri: { name: 'SANDBOX_REDIRECT_URI', expected: 'an http or https URL' },
  dataFile: { name: 'SANDBOX_DATA_FILE', expected: 'a path to a file' },
  seed: { name: 'SANDBOX_SEED', expected: 'a number or a text of up to 200 characters' },
};

/** A variable has a value that cannot be used; the message is the one line to show. */
export class ConfigError extends Error {}

/** Reads `SANDBOX_*`. An empty variable counts as unset. The value itself is not repeated: it may be a secret. */
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
