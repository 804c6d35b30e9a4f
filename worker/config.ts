// Reads the worker's environment, once. Errors name an invalid variable but never show its value.
import { isIP } from 'node:net';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { ClientConnectConfig } from '@temporalio/envconfig';
import { z } from 'zod';
import { HIGH_RISK_VARIABLES } from '../domain/client/high-risk.schema.js';
import { retentionIn } from '../domain/records/retention.js';
import { CLEAR_PAYLOADS } from '../sealing/data-converter.js';
import { parseKeyring } from '../sealing/keyring.js';
import type { Keyring } from '../sealing/keyring.js';
import { secretOf } from '../sealing/secret.js';
import type { Secret } from '../sealing/secret.js';
import { recordsUrl } from '../records/settings.schema.js';
import { QUEUES } from '../workflows/entity/contract.js';

const required = (what: string) => z.string({ error: `expected ${what}` });

const url = (what: string) =>
  required(what).refine((value) => URL.canParse(value) && /^https?:\/\//.test(value), `expected ${what}`);

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'expected a port, 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'expected a port, 0 to 65535');

const A_RATE = 'expected calls per second, more than 0 and up to 1000, such as 10 or 0.5';
const AN_INTERVAL = 'expected hours, 0.1 to 168, such as 6 or 0.5; or 0 to disable sweeps';
const A_DAY = 'expected hours, 0.1 to 24, such as 24 or 0.5; or 0 to disable them';
const MINUTES = 'expected whole minutes, 0 to 10080, such as 60';
const HOURS = 'expected hours above 0, at most 8760, such as 48';
const SOME_QUEUES = `expected some of ${QUEUES.join(', ')}, separated by commas`;
const A_BURST = 'expected a whole number of calls, 1 to 1000';

/** Each variable with its description, unless `api/config.ts` has it. `npm run docs:configuration` writes both to the docs. */
export const WorkerEnvironment = z.object({
  TASK_QUEUE: z.string().default('payto'),
  WORKER_QUEUES: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(QUEUES, SOME_QUEUES)).nonempty())
    .default([...QUEUES])
    .describe(
      'the queues that this worker polls: money (workflows, payments, commands, tokens), reads and sweeps, separated by commas. Each queue needs a worker',
    ),
  WORKER_VERSION: z
    .string()
    .regex(/^\w[\w.-]{0,63}$/, 'expected the name of a release, such as 1.2.0')
    .optional()
    .describe(
      'the release of this worker. Its runs stay with this release until they hand over. If unset, the worker takes every run',
    ),
  PAYMENTS_API_URL: url('the http or https URL of the payments API').describe(
    'the base URL of the payments API. If set, `npm start` uses it instead of the sandbox',
  ),
  PAYMENTS_AUTH_URL: url('the http or https URL of the authorisation server'),
  PAYMENTS_API_VERSION: z
    .string()
    .regex(/^\d{8}$/, 'expected 8 digits, YYYYMMDD')
    .default('20260901')
    .describe(
      'the payments API version of every call. Our API checks requests against it before it accepts them',
    ),
  PAYMENTS_VERSION_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'expected the name of a header')
    .default('Service-API-Version')
    .describe('the header that contains the version'),
  PAYMENTS_RATE_PER_SECOND: z
    .string()
    .regex(/^\d{1,4}(\.\d{1,6})?$/, A_RATE)
    .transform(Number)
    .refine((value) => value > 0 && value <= 1000, A_RATE)
    .default(10)
    .describe('the maximum calls per second from each worker to the payments API for one connection'),
  PAYMENTS_RATE_BURST: z
    .string()
    .regex(/^\d{1,4}$/, A_BURST)
    .transform(Number)
    .refine((value) => value >= 1 && value <= 1000, A_BURST)
    .default(20)
    .describe('the maximum number of these calls at once, after an idle time'),
  SWEEP_INTERVAL_HOURS: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,3})?$/, AN_INTERVAL)
    .transform(Number)
    .refine((hours) => hours === 0 || (hours >= 0.1 && hours <= 168), AN_INTERVAL)
    .default(6)
    .describe('hours between two sweeps of a connection, 0.1 to 168; `0` disables sweeps'),
  SWEEP_ADOPTS: z
    .enum(['true', 'false'], { error: 'expected true or false' })
    .transform((word) => word === 'true')
    .default(false)
    .describe('whether resources that only the provider knows get a workflow'),
  AUDIT_INTERVAL_HOURS: z
    .string()
    .regex(/^\d{1,2}(\.\d{1,3})?$/, A_DAY)
    .transform(Number)
    .refine((hours) => hours === 0 || (hours >= 0.1 && hours <= 24), A_DAY)
    .default(24)
    .describe(
      'hours between two audits of a connection’s webhooks, 0.1 to 24, as the provider keeps its log for a week; `0` disables audits',
    ),
  AUDIT_WEBHOOK_URL: url('the http or https URL that webhooks go to')
    .transform((text) => text.replace(/\/+$/, ''))
    .optional()
    .describe(
      'the webhook URL registered with the provider. Audits ignore webhooks to other addresses. If unset, they cover all',
    ),
  SETTLEMENT_INTERVAL_HOURS: z
    .string()
    .regex(/^\d{1,2}(\.\d{1,3})?$/, A_DAY)
    .transform(Number)
    .refine((hours) => hours === 0 || (hours >= 0.1 && hours <= 24), A_DAY)
    .default(3)
    .describe(
      'hours between two requests for the settlement reports that are due, 0.1 to 24; `0` disables settlement',
    ),
  CREDIT_CASE_AFTER_MINUTES: z
    .string()
    .regex(/^\d{1,5}$/, MINUTES)
    .transform(Number)
    .refine((minutes) => minutes <= 10_080, MINUTES)
    .default(60)
    .describe(
      'minutes after which a credit without a notification, a payment and a refund becomes a case, 0 to 10080',
    ),
  CREDIT_DECIDE_WITHIN_HOURS: z
    .string()
    .regex(/^\d{1,4}(\.\d{1,3})?$/, HOURS)
    .transform(Number)
    .refine((hours) => hours > 0 && hours <= 8760, HOURS)
    .default(48)
    .describe('hours after which a case without its entry or its decision is flagged, at most 8760'),
  ...HIGH_RISK_VARIABLES,
  OAUTH_CLIENT_ID: required('the client id of the registered application'),
  OAUTH_CLIENT_SECRET: required('the client secret of the registered application')
    .transform(boxed)
    .describe('the client secret of the registered application'),
  OAUTH_REDIRECT_URI: url('the registered http or https redirect URI'),
  ENCRYPTION_KEYS: required('kid:base64key with a key of 32 bytes, comma-separated').transform(keyring),
  TOKEN_KEYS: required('kid:base64key with a key of 32 bytes, comma-separated')
    .transform(keyring)
    .describe(
      'the keys that seal tokens, in the form of ENCRYPTION_KEYS. Only workers have them; `npm run -s keys -- token` generates one with its public key',
    ),
  RECORDS_URL: recordsUrl,
  PAYLOADS_IN_CLEAR: z.enum(CLEAR_PAYLOADS, `expected ${CLEAR_PAYLOADS.join(' or ')}`).default('refuse'),
  METRICS_PORT: port
    .default(9464)
    .describe('the port of the worker’s metrics; `0` disables them (the API’s are at `/metrics`)'),
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
    .describe('the maximum number of workflows in memory. Others are replayed at their next event'),
});

export type WorkerConfig = z.output<typeof WorkerEnvironment> & { temporal: TemporalConfig };

/** The settings of `npm run migrate`. */
export const MigrateEnvironment = z.object({
  RECORDS_URL: recordsUrl,
  RECORDS_ADMIN_URL: recordsUrl.describe(
    'as RECORDS_URL, for the owner of the database, which creates and migrates it, and deletes; only for `npm run migrate`, `records`, `expire` and `erase`',
  ),
});
export type MigrateConfig = z.output<typeof MigrateEnvironment> & { temporal: TemporalConfig };

/** The settings of `npm run expire`. */
export const ExpiryEnvironment = z.object({
  RECORDS_ADMIN_URL: MigrateEnvironment.shape.RECORDS_ADMIN_URL,
  RECORDS_RETENTION: z
    .string()
    .default('7y')
    .transform((text, context) => {
      const milliseconds = retentionIn(text);
      if (milliseconds !== undefined) return milliseconds;
      context.addIssue({ code: 'custom', message: 'expected days or years, such as 90d or 7y' });
      return z.NEVER;
    })
    .describe('how long records are kept after the end of a resource, in days or years: `90d`, `7y`'),
});
export type ExpiryConfig = z.output<typeof ExpiryEnvironment> & { temporal: TemporalConfig };

/** The settings of `npm run records` and `npm run erase`. */
const OfRecords = WorkerEnvironment.pick({
  RECORDS_URL: true,
  ENCRYPTION_KEYS: true,
  PAYLOADS_IN_CLEAR: true,
}).extend({ RECORDS_ADMIN_URL: MigrateEnvironment.shape.RECORDS_ADMIN_URL.optional() });
export type RecordsConfig = z.output<typeof OfRecords> & { temporal: TemporalConfig };

/** The settings of commands about runs: the task queue, and the Temporal server. */
const OfRuns = WorkerEnvironment.pick({ TASK_QUEUE: true });
export type RunsConfig = z.output<typeof OfRuns> & { temporal: TemporalConfig };

/** The Temporal server. The connection options contain its API key and TLS key. */
export interface TemporalConfig {
  namespace: string;
  address: string;
  connectionOptions: Secret<ClientConnectConfig['connectionOptions']>;
}

/** @returns the configuration, or a list of all problems for a person. */
export const readConfig = (
  variables: NodeJS.ProcessEnv = process.env,
): WorkerConfig | { problems: string[] } => read(WorkerEnvironment, variables);

/** @returns the configuration, or a list of all problems for a person. */
export const readRunsConfig = (
  variables: NodeJS.ProcessEnv = process.env,
): RunsConfig | { problems: string[] } => read(OfRuns, variables);

/** @returns the configuration, or a list of all problems for a person. */
export const readMigrateConfig = (
  variables: NodeJS.ProcessEnv = process.env,
): MigrateConfig | { problems: string[] } => read(MigrateEnvironment, variables);

/** @returns the configuration, or a list of all problems for a person. */
export const readExpiryConfig = (
  variables: NodeJS.ProcessEnv = process.env,
): ExpiryConfig | { problems: string[] } => read(ExpiryEnvironment, variables);

/** @returns the configuration, or a list of all problems for a person. */
export const readRecordsConfig = (
  variables: NodeJS.ProcessEnv = process.env,
): RecordsConfig | { problems: string[] } => read(OfRecords, variables);

/**
 * Reads and checks all variables. An empty variable counts as unset.
 * @returns the configuration, or one line for each missing or invalid variable, without its value.
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
  'expected valid settings for the Temporal client (TEMPORAL_ADDRESS, TEMPORAL_PROFILE, TEMPORAL_CONFIG_FILE, …)';

/** Temporal's own variables and profile file, read by its library. The library's errors may quote the file, so we drop them. */
function temporalConfig(overrideEnvVars: Record<string, string>): TemporalConfig | undefined {
  try {
    const { namespace = 'default', connectionOptions } = loadClientConnectConfig({ overrideEnvVars });
    const { address = 'localhost:7233' } = connectionOptions;
    // We print it while waiting, so it must be a plain address.
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
