// Reads the worker's environment, once. Errors name an invalid variable but never show its value.
import { isIP } from 'node:net';
import { z } from 'zod';
import { HIGH_RISK_VARIABLES } from '../domain/client/high-risk.schema.js';
import { CLEAR_PAYLOADS } from '../sealing/data-converter.js';
import { parseKeyring } from '../sealing/keyring.js';
import { secretOf } from '../sealing/secret.js';
import { recordsUrl } from '../records/settings.schema.js';
import {
  ALLOW_PLAINTEXT_TO,
  INSECURE_SANDBOX,
  WEBHOOK_PRIVATE_ADDRESSES,
  httpUrl,
  parsed,
  port,
  required,
} from '../settings/forms.js';
import { readSettings } from '../settings/read.js';
import { QUEUES } from '../workflows/contracts/every-workflow.js';

const A_RATE = 'expected calls per second, more than 0 and up to 1000, such as 10 or 0.5';
const AN_INTERVAL = 'expected hours, 0.1 to 168, such as 6 or 0.5; or 0 to disable sweeps';
const A_DAY = 'expected hours, 0.1 to 24, such as 24 or 0.5; or 0 to disable them';
const MINUTES = 'expected whole minutes, 0 to 10080, such as 60';
const HOURS = 'expected hours above 0, at most 8760, such as 48';
const SOME_QUEUES = `expected some of ${QUEUES.join(', ')}, separated by commas`;
const A_BURST = 'expected a whole number of calls, 1 to 1000';

/** A number of this form and within a range. */
const numberIn = (form: RegExp, expected: string, isIn: (value: number) => boolean) =>
  z.string().regex(form, expected).transform(Number).refine(isIn, expected);

const upToADay = numberIn(
  /^\d{1,2}(\.\d{1,3})?$/,
  A_DAY,
  (hours) => hours === 0 || (hours >= 0.1 && hours <= 24),
);

/** Each variable with its description, unless `api/config.ts` has it. `npm run docs:configuration` writes both to the docs. */
export const WorkerEnvironment = z.object({
  TASK_QUEUE: z.string().default('payto'),
  WORKER_QUEUES: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(QUEUES, SOME_QUEUES)).nonempty())
    .default([...QUEUES])
    .describe(
      'the queues that this worker polls: money (workflows, payments, commands, tokens), reads, sweeps, records and events (webhooks to backends), separated by commas. Each queue needs a worker',
    ),
  WORKER_VERSION: z
    .string()
    .regex(/^\w[\w.-]{0,63}$/, 'expected the name of a release, such as 1.2.0')
    .optional()
    .describe(
      'the release of this worker. Its runs stay with this release until they hand over. If unset, the worker takes every run',
    ),
  PAYMENTS_API_URL: httpUrl('the http or https URL of the payments API').describe(
    'the base URL of the payments API. If set, `npm start` uses it instead of the sandbox',
  ),
  PAYMENTS_AUTH_URL: httpUrl('the http or https URL of the authorisation server'),
  PAYMENTS_API_VERSION: z
    .string()
    .regex(/^\d{8}$/, 'expected 8 digits, YYYYMMDD')
    .default('20260901')
    .describe(
      'the payments API version of every call. The API checks requests against it before it accepts them',
    ),
  PAYMENTS_VERSION_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'expected the name of a header')
    .default('Service-API-Version')
    .describe('the header that contains the version'),
  PAYMENTS_RATE_PER_SECOND: numberIn(/^\d{1,4}(\.\d{1,6})?$/, A_RATE, (value) => value > 0 && value <= 1000)
    .default(10)
    .describe('the maximum calls per second from each worker to the payments API for one connection'),
  PAYMENTS_RATE_BURST: numberIn(/^\d{1,4}$/, A_BURST, (value) => value >= 1 && value <= 1000)
    .default(20)
    .describe('the maximum number of these calls at once, after an idle time'),
  SWEEP_INTERVAL_HOURS: numberIn(
    /^\d{1,3}(\.\d{1,3})?$/,
    AN_INTERVAL,
    (hours) => hours === 0 || (hours >= 0.1 && hours <= 168),
  )
    .default(6)
    .describe('hours between two sweeps of a connection, 0.1 to 168; `0` disables sweeps'),
  SWEEP_ADOPTS: z
    .enum(['true', 'false'], { error: 'expected true or false' })
    .transform((word) => word === 'true')
    .default(false)
    .describe('whether resources that only the provider knows get a workflow'),
  AUDIT_INTERVAL_HOURS: upToADay
    .default(0.25)
    .describe(
      'hours between two audits of a connection’s webhooks, 0.1 to 24, as the provider keeps its log for a week; `0.25` finds a webhook that never arrived within about 15 minutes; `0` disables audits',
    ),
  AUDIT_WEBHOOK_URL: httpUrl('the http or https URL that webhooks go to')
    .optional()
    .describe(
      'the webhook URL registered with the provider. Audits ignore webhooks to other addresses. If unset, they cover all',
    ),
  SETTLEMENT_INTERVAL_HOURS: upToADay
    .default(3)
    .describe(
      'hours between two requests for the settlement reports that are due, 0.1 to 24; `0` disables settlement',
    ),
  CREDIT_CASE_AFTER_MINUTES: numberIn(/^\d{1,5}$/, MINUTES, (minutes) => minutes <= 10_080)
    .default(60)
    .describe(
      'minutes after which a credit without a notification, a payment and a refund becomes a case, 0 to 10080',
    ),
  CREDIT_DECIDE_WITHIN_HOURS: numberIn(/^\d{1,4}(\.\d{1,3})?$/, HOURS, (hours) => hours > 0 && hours <= 8760)
    .default(48)
    .describe('hours after which a case without its entry or its decision is flagged, at most 8760'),
  ...HIGH_RISK_VARIABLES,
  OAUTH_CLIENT_ID: required('the client id of the registered application'),
  OAUTH_CLIENT_SECRET: required('the client secret of the registered application')
    .transform(secretOf<string>)
    .describe('the client secret of the registered application'),
  OAUTH_REDIRECT_URI: httpUrl('the registered http or https redirect URI'),
  ENCRYPTION_KEYS: required('kid:base64key with a key of 32 bytes, comma-separated').transform(
    parsed(parseKeyring),
  ),
  TOKEN_KEYS: required('kid:base64key with a key of 32 bytes, comma-separated')
    .transform(parsed(parseKeyring))
    .describe(
      'the keys that seal tokens, in the form of ENCRYPTION_KEYS. Only workers have them; `npm run -s keys -- token` generates one with its public key',
    ),
  RECORDS_URL: recordsUrl,
  RECORDS_LISTEN_URL: recordsUrl.optional(),
  WEBHOOK_PRIVATE_ADDRESSES,
  INSECURE_SANDBOX,
  ALLOW_PLAINTEXT_TO,
  PAYLOADS_IN_CLEAR: z.enum(CLEAR_PAYLOADS, `expected ${CLEAR_PAYLOADS.join(' or ')}`).default('refuse'),
  METRICS_PORT: port
    .default(9464)
    .describe('the port of the worker’s metrics; `0` disables them (the API’s are at `/metrics`)'),
  METRICS_HOST: z
    .string()
    .refine((value) => isIP(value) !== 0, 'expected an IP address, such as 127.0.0.1 or 0.0.0.0')
    .default('127.0.0.1')
    .describe('the address of the worker’s metrics'),
  MAX_CACHED_WORKFLOWS: numberIn(/^\d{1,7}$/, 'expected a whole number, at least 2', (value) => value >= 2)
    .optional()
    .describe(
      'the maximum number of workflows in memory. Others are replayed at their next event. Default: 2000 for each GB that the process may use',
    ),
});

/** The settings of `npm run migrate`. */
export const MigrateEnvironment = z.object({
  RECORDS_URL: recordsUrl,
  RECORDS_ADMIN_URL: recordsUrl.describe(
    'as RECORDS_URL, for the owner of the database, which creates and migrates it, and erases; only for `npm run migrate`, `records` and `erase`',
  ),
  RECORDS_EXPIRY_URL: recordsUrl
    .optional()
    .describe(
      'as RECORDS_URL, for the role that may only delete what expires. `npm run migrate` creates the role; `npm run expire` requires the variable ([roles](records.md#create-roles-and-migrate))',
    ),
  RECORDS_AUDIT_URL: recordsUrl
    .optional()
    .describe(
      'as RECORDS_URL, for a role that may only read rows. `npm run migrate` creates it. `npm run records -- rebuild --all --check` needs no more, with this URL as its RECORDS_URL',
    ),
});

const DAY_MS = 24 * 3_600_000;
const DAYS = { d: 1, y: 365.25 } as const;

/** Reads `90d` or `7y`. @returns milliseconds; undefined for any other text. */
function retentionIn(text: string): number | undefined {
  const [, count = '', unit] = /^([1-9]\d{0,4})([dy])$/.exec(text) ?? [];
  return unit === 'd' || unit === 'y' ? Number(count) * DAYS[unit] * DAY_MS : undefined;
}

const retention = (byDefault: string) =>
  z
    .string()
    .default(byDefault)
    .transform((text, context) => {
      const milliseconds = retentionIn(text);
      if (milliseconds !== undefined) return milliseconds;
      context.addIssue({ code: 'custom', message: 'expected days or years, such as 90d or 7y' });
      return z.NEVER;
    });

/** The settings of `npm run expire`. */
export const ExpiryEnvironment = z.object({
  RECORDS_EXPIRY_URL: MigrateEnvironment.shape.RECORDS_EXPIRY_URL.unwrap(),
  RECORDS_RETENTION: retention('7y').describe(
    'how long records are kept after the end of a resource, in days or years: `90d`, `7y`',
  ),
  IDEMPOTENCY_KEYS_RETENTION: retention('90d').describe(
    'how long the records keep an Idempotency-Key, in days or years. A repeat after that counts as a new request',
  ),
  WEBHOOK_DELIVERIES_RETENTION: retention('30d').describe(
    'how long attempts to deliver webhooks are listed, in days or years',
  ),
});

/** The settings of `npm run records` and `npm run erase`. */
const OfRecords = WorkerEnvironment.pick({
  RECORDS_URL: true,
  ENCRYPTION_KEYS: true,
  PAYLOADS_IN_CLEAR: true,
}).extend({ RECORDS_ADMIN_URL: MigrateEnvironment.shape.RECORDS_ADMIN_URL.optional() });

/** The settings of commands about runs: the task queue, and the Temporal server. */
const OfRuns = WorkerEnvironment.pick({ TASK_QUEUE: true });

const readerOf =
  <Environment extends z.ZodObject>(environment: Environment) =>
  (variables: NodeJS.ProcessEnv = process.env) =>
    readSettings(environment, variables);

/** Each throws ConfigError. */
export const readConfig = readerOf(WorkerEnvironment);
export const readRunsConfig = readerOf(OfRuns);
export const readMigrateConfig = readerOf(MigrateEnvironment);
export const readExpiryConfig = readerOf(ExpiryEnvironment);
export const readRecordsConfig = readerOf(OfRecords);

export type WorkerConfig = ReturnType<typeof readConfig>;
export type ExpiryConfig = ReturnType<typeof readExpiryConfig>;
export type RecordsConfig = ReturnType<typeof readRecordsConfig>;
