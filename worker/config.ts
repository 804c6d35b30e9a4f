// What the worker process reads from its environment, once. A wrong variable is named, its value never shown.
import { z } from 'zod';
import { parseKeyring } from '../sealing/keyring.js';
import type { Keyring } from '../sealing/keyring.js';

const required = (expected: string): z.ZodString =>
  z.string({ error: `is missing; expected ${expected}` }).min(1, `expected ${expected}`);
const url = (expected: string) =>
  required(expected).refine(
    (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
    `expected ${expected}`,
  );

const Environment = z.object({
  TASK_QUEUE: z.string().min(1).default('payto'),
  PAYMENTS_API_URL: url('the base URL of the payments API'),
  PAYMENTS_AUTH_URL: url('the base URL of the authorisation server'),
  PAYMENTS_API_VERSION: z
    .string()
    .regex(/^\d{8}$/, 'expected 8 digits, YYYYMMDD')
    .default('20260901'),
  PAYMENTS_VERSION_HEADER: z.string().min(1).default('Service-API-Version'),
  OAUTH_CLIENT_ID: required('the client id of the registered application'),
  OAUTH_CLIENT_SECRET: required('the client secret of the registered application'),
  OAUTH_REDIRECT_URI: url('the redirect URI as registered'),
  ENCRYPTION_KEYS: required('kid:base64key, comma-separated').transform((value, context): Keyring => {
    try {
      return parseKeyring(value);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'expected keys' });
      return z.NEVER;
    }
  }),
  METRICS_PORT: z.coerce.number('expected a port, or 0 for none').int().min(0).max(65535).default(9464),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  MAX_CACHED_WORKFLOWS: z.coerce.number('expected a whole number').int().min(2).default(500),
});
export type WorkerConfig = z.output<typeof Environment>;

/** @returns the configuration, or one line for each variable that is missing or wrong. */
export function readConfig(
  environment: NodeJS.ProcessEnv = process.env,
): WorkerConfig | { problems: string[] } {
  const parsed = Environment.safeParse(environment);
  if (parsed.success) return parsed.data;
  return { problems: parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`) };
}
