// All fault actions, by place and time, and their parameters. Data only.
import { z } from 'zod';

/** Replace the call: it changes nothing. */
export const BEFORE_COMMIT = [
  'error_500_before',
  'error_503',
  'error_429',
  'cut_before_commit',
  'redirect',
] as const;

/** Change the answer after the call's changes are committed. A refused call does not consume them. */
export const AFTER_COMMIT = [
  'error_500_after_commit',
  'cut_after_commit',
  'slow',
  'trickle',
  'malformed_json',
  'wrong_content_type',
  'huge_body',
  'lying_content_length',
] as const;

export const ON_ANSWER = [...BEFORE_COMMIT, ...AFTER_COMMIT] as const;
export type AnswerAction = (typeof ON_ANSWER)[number];

/** Change the data that a read returns. */
export const ON_READ = ['read_lag'] as const;

/** Change how the authorisation server decides on a token request. */
export const ON_TOKEN = ['revoke_grant', 'invalid_client', 'grace'] as const;

export const ON_WEBHOOK = [
  'lose',
  'delay',
  'repeat',
  'reorder',
  'forge',
  'unknown_type',
  'batch',
  'bad_signature',
  'stale_timestamp',
] as const;
export type WebhookAction = (typeof ON_WEBHOOK)[number];

export const FaultAction = z.enum([...ON_ANSWER, ...ON_READ, ...ON_TOKEN, ...ON_WEBHOOK]);
export type FaultAction = z.output<typeof FaultAction>;

const A_YEAR_SECONDS = 366 * 24 * 60 * 60;
const MIB = 1024 * 1024;

/** Snapshots are kept for this time, so no read can lag further behind. */
export const LONGEST_LAG_SECONDS = 3600;

/** The parameters of faults. Seconds are on the sandbox's clock, milliseconds are real time. */
export const FaultParameters = z
  .strictObject({
    /** Null omits the Retry-After header. */
    retry_after_seconds: z.int().min(0).max(A_YEAR_SECONDS).nullable(),
    retry_after_as: z.enum(['seconds', 'date']),
    /** The origin of the redirect target. Path and query do not change. */
    to: z.url({ protocol: /^https?$/ }),
    status: z.union([z.literal(301), z.literal(302), z.literal(303), z.literal(307), z.literal(308)]),
    delay_ms: z.int().min(0).max(600_000),
    /** The pause between two bytes. */
    pause_ms: z.int().min(0).max(60_000),
    bytes: z
      .int()
      .min(1)
      .max(4096 * MIB),
    /** How many bytes the header adds to the real length; negative values announce fewer. */
    by_bytes: z
      .int()
      .min(-MIB)
      .max(MIB)
      .refine((by) => by !== 0, 'must not be 0, because the length would then be correct'),
    lag_seconds: z.int().min(1).max(LONGEST_LAG_SECONDS),
    grace_seconds: z.int().min(1).max(300),
    delay_seconds: z.int().min(0).max(A_YEAR_SECONDS),
    copies: z.int().min(1).max(10),
    /** The number of events in one body. */
    size: z.int().min(2).max(50),
    age_seconds: z.int().min(1).max(A_YEAR_SECONDS),
  })
  .partial();
export type FaultParameters = z.output<typeof FaultParameters>;

/** The parameters of each action, with their defaults. */
export const DEFAULTS: Record<FaultAction, FaultParameters> = {
  error_500_before: {},
  error_503: { retry_after_seconds: 1, retry_after_as: 'seconds' },
  error_429: { retry_after_seconds: null, retry_after_as: 'seconds' },
  cut_before_commit: {},
  redirect: { to: 'http://elsewhere.invalid', status: 307 },
  error_500_after_commit: {},
  cut_after_commit: {},
  slow: { delay_ms: 5000 },
  trickle: { pause_ms: 50 },
  malformed_json: {},
  wrong_content_type: {},
  huge_body: { bytes: 1024 * MIB },
  lying_content_length: { by_bytes: 16 },
  read_lag: { lag_seconds: 30 },
  revoke_grant: {},
  invalid_client: {},
  grace: { grace_seconds: 10 },
  lose: {},
  delay: { delay_seconds: 60 },
  repeat: { copies: 1 },
  reorder: {},
  forge: {},
  unknown_type: {},
  batch: { size: 2, delay_seconds: 60 },
  bad_signature: {},
  stale_timestamp: { age_seconds: 3600 },
};
