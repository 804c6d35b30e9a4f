// What the worker process reads from its environment, once. A wrong variable is named, its value never shown.
import { isIP } from 'node:net';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { ClientConnectConfig } from '@temporalio/envconfig';
import { z } from 'zod';
import { HIGH_RISK_VARIABLES } from '../domain/client/high-risk.schema.js';
import { CLEAR_PAYLOADS } from '../sealing/data-converter.js';
import { parseKeyring } from '../sealing/keyring.js';
import type { Keyring } from '../sealing/keyring.js';
import { secretOf } from '../sealing/secret.js';
import type { Secret } from '../sealing/secret.js';
import { QUEUES } from '../workflows/entity/contract.js';

const required = (what: string) => z.string({ error: `expected ${what}` });

const url = (what: string) =>
  required(what).refine((value) => URL.canParse(value) && /^https?:\/\//.test(value), `expected ${what}`);

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'expected a port, 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'expected a port, 0 to 65535');

const A_RATE = 'expected calls a second, more than 0 and up to 1000, such as 10 or 0.5';
const AN_INTERVAL = 'expected hours, 0.1 to 168, such as 6 or 0.5; or 0 for no sweeps';
const A_DAY = 'expected hours, 0.1 to 24, such as 24 or 0.5; or 0 for no audits';
const SOME_QUEUES = `expected some of ${QUEUES.join(', ')}, separated by commas`;
const A_BURST = 'expected a whole number of calls, 1 to 1000';

/** Each variable with what it is for, unless `api/config.ts` says it: `npm run docs:configuration` writes both down. */
export const WorkerEnvironment = z.object({
  TASK_QUEUE: z.string().default('payto'),
  WORKER_QUEUES: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(QUEUES, SOME_QUEUES)).nonempty())
    .default([...QUEUES])
    .describe(
      'which of the queues money (workflows, payments, commands, tokens), reads and sweeps this worker polls, separated by commas; each must have a worker',
    ),
  WORKER_VERSION: z
    .string()
    .regex(/^\w[\w.-]{0,63}$/, 'expected the name of a release, such as 1.2.0')
    .optional()
    .describe(
      'the release that this worker runs, which keeps its runs until they hand over; left out, a worker takes every run',
    ),
  PAYMENTS_API_URL: url('the http or https URL of the payments API').describe(
    'the base URL of the payments API; where it is set, `npm start` uses it instead of the sandbox',
  ),
  PAYMENTS_AUTH_URL: url('the http or https URL of the authorisation server'),
  PAYMENTS_API_VERSION: z
    .string()
    .regex(/^\d{8}$/, 'expected 8 digits, YYYYMMDD')
    .default('20260901')
    .describe(
      'the version that every call asks for, and by which the API judges requests before it accepts them',
    ),
  PAYMENTS_VERSION_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'expected the name of a header')
    .default('Service-API-Version')
    .describe('the header that carries the version'),
  PAYMENTS_RATE_PER_SECOND: z
    .string()
    .regex(/^\d{1,4}(\.\d{1,6})?$/, A_RATE)
    .transform(Number)
    .refine((value) => value > 0 && value <= 1000, A_RATE)
    .default(10)
    .describe('how many calls a second each worker makes to the payments API for one connection'),
  PAYMENTS_RATE_BURST: z
    .string()
    .regex(/^\d{1,4}$/, A_BURST)
    .transform(Number)
    .refine((value) => value >= 1 && value <= 1000, A_BURST)
    .default(20)
    .describe('how many of these calls may go out at once after a rest'),
  SWEEP_INTERVAL_HOURS: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,3})?$/, AN_INTERVAL)
    .transform(Number)
    .refine((hours) => hours === 0 || (hours >= 0.1 && hours <= 168), AN_INTERVAL)
    .default(6)
    .describe('hours from one sweep of a connection to the next, 0.1 to 168; `0` for no sweeps'),
  SWEEP_ADOPTS: z
    .enum(['true', 'false'], { error: 'expected true or false' })
    .transform((word) => word === 'true')
    .default(false)
    .describe('whether agreements and payments that are known at the provider alone get a workflow'),
  AUDIT_INTERVAL_HOURS: z
    .string()
    .regex(/^\d{1,2}(\.\d{1,3})?$/, A_DAY)
    .transform(Number)
    .refine((hours) => hours === 0 || (hours >= 0.1 && hours <= 24), A_DAY)
    .default(24)
    .describe(
      'hours from one audit of a connection’s webhooks to the next, 0.1 to 24, as the provider keeps its log for a week; `0` for no audits',
    ),
  AUDIT_WEBHOOK_URL: url('the http or https URL that webhooks go to')
    .transform((text) => text.replace(/\/+$/, ''))
    .optional()
    .describe(
      'where the provider pushes to us, as it is registered there: webhooks to other addresses are not audited. Left out, all are',
    ),
  ...HIGH_RISK_VARIABLES,
  OAUTH_CLIENT_ID: required('the client id of the registered application'),
  OAUTH_CLIENT_SECRET: required('the client secret of the registered application')
    .transform(boxed)
    .describe('the client secret of the registered application'),
  OAUTH_REDIRECT_URI: url('the http or https redirect URI as registered'),
  ENCRYPTION_KEYS: required('kid:base64key with a key of 32 bytes, comma-separated').transform(keyring),
  PAYLOADS_IN_CLEAR: z.enum(CLEAR_PAYLOADS, `expected ${CLEAR_PAYLOADS.join(' or ')}`).default('refuse'),
  METRICS_PORT: port
    .default(9464)
    .describe('the port of the worker’s metrics; `0` for none (the API’s are at `/metrics`)'),
  METRICS_HOST: z
    .string()
    .refine((value) => isIP(value) !== 0, 'expected an IP address, such as 127.0.0.1 or 0.0.0.0')
    .default('127.0.0.1')
    .describe('the address of the worker’s metrics'),
  MAX_CACHED_WORKFLOWS: z
    .string()
    .regex(/^\d{1,7}$/, 'expected a whole number, at least 2')
    .transform(Number)
    .refine((value) => value >= 2, 'expected a whole number, at least 2')
    .default(500)
    .describe('how many workflows stay in memory; others are replayed when something happens to them'),
});

export type WorkerConfig = z.output<typeof WorkerEnvironment> & { temporal: TemporalConfig };

/** What a command about runs needs: which runs, and where Temporal is. */
const OfRuns = WorkerEnvironment.pick({ TASK_QUEUE: true });
export type RunsConfig = z.output<typeof OfRuns> & { temporal: TemporalConfig };

/** Where Temporal is. How to connect holds its API key and its TLS key. */
export interface TemporalConfig {
  namespace: string;
  address: string;
  connectionOptions: Secret<ClientConnectConfig['connectionOptions']>;
}

/** @returns the configuration, or every problem that was found, for a person. */
export const readConfig = (
  variables: NodeJS.ProcessEnv = process.env,
): WorkerConfig | { problems: string[] } => read(WorkerEnvironment, variables);

/** @returns the configuration, or every problem that was found, for a person. */
export const readRunsConfig = (
  variables: NodeJS.ProcessEnv = process.env,
): RunsConfig | { problems: string[] } => read(OfRuns, variables);

/**
 * Reads and checks everything at once. An empty variable counts as one that is not set.
 * @returns the configuration, or one line for each variable that is missing or wrong, which never quotes its value.
 */
function read<Config extends object>(
  environment: z.ZodType<Config>,
  variables: NodeJS.ProcessEnv,
): (Config & { temporal: TemporalConfig }) | { problems: string[] } {
  const given = Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value?.trim() ? [[name, value]] : [])),
  );
  const { success, data, error } = environment.safeParse(given);
  const temporal = temporalConfig(given);
  if (success && temporal !== undefined) return { ...data, temporal };
  const problems = new Map<string, string>();
  for (const { path, message } of error?.issues ?? []) {
    const name = path.join('.');
    if (!problems.has(name)) problems.set(name, `${name}: ${message}`);
  }
  if (temporal === undefined) problems.set('TEMPORAL_*', `TEMPORAL_*: ${temporalsOwn}`);
  return { problems: [...problems.values()] };
}

const temporalsOwn =
  'expected what the Temporal CLI expects (TEMPORAL_ADDRESS, TEMPORAL_PROFILE, TEMPORAL_CONFIG_FILE, …)';

/** Temporal's own variables and profile file, which its library reads. What it says may quote the file, so it stays here. */
function temporalConfig(overrideEnvVars: Record<string, string>): TemporalConfig | undefined {
  try {
    const { namespace = 'default', connectionOptions } = loadClientConnectConfig({ overrideEnvVars });
    const { address = 'localhost:7233' } = connectionOptions;
    // Printed while it is waited for, so it is to be an address and nothing besides.
    if (!isAddress(address)) return undefined;
    return { namespace, address, connectionOptions: secretOf(connectionOptions) };
  } catch {
    return undefined;
  }
}

const isAddress = (text: string): boolean => /^[\w.:[\]-]+$/.test(text);

function boxed(text: string): Secret {
  return secretOf(text);
}

function keyring(text: string, context: z.RefinementCtx<string>): Keyring {
  try {
    return parseKeyring(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'expected keys' });
    return z.NEVER;
  }
}
