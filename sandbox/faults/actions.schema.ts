// Everything that can be made to go wrong, by where and when, and what can be said of how. No behaviour here.
import { z } from 'zod';

/** In place of a call: it changes nothing. */
export const BEFORE_COMMIT = [
  'error_500_before',
  'error_503',
  'error_429',
  'cut_before_commit',
  'redirect',
] as const;

/** To the answer of a call that was carried out: what it changed stays changed. A refused call does not use them up. */
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

/** To what a read sees. */
export const ON_READ = ['read_lag'] as const;

/** To what the authorisation server thinks of a token request. */
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

/** Kept that long: no read can lag further behind. */
export const LONGEST_LAG_SECONDS = 3600;

/** How it goes wrong. Seconds are of the sandbox's clock, milliseconds are real ones. */
export const FaultParameters = z
  .strictObject({
    /** Null: no Retry-After. */
    retry_after_seconds: z.int().min(0).max(A_YEAR_SECONDS).nullable(),
    retry_after_as: z.enum(['seconds', 'date']),
    /** The origin to go to instead; path and query stay. */
    to: z.url({ protocol: /^https?$/ }),
    status: z.union([z.literal(301), z.literal(302), z.literal(303), z.literal(307), z.literal(308)]),
    delay_ms: z.int().min(0).max(600_000),
    /** Between two bytes. */
    pause_ms: z.int().min(0).max(60_000),
    bytes: z
      .int()
      .min(1)
      .max(4096 * MIB),
    /** How many bytes more than there are the header announces; fewer, where negative. */
    by_bytes: z
      .int()
      .min(-MIB)
      .max(MIB)
      .refine((by) => by !== 0, 'must not be 0: that would be no lie'),
    lag_seconds: z.int().min(1).max(LONGEST_LAG_SECONDS),
    grace_seconds: z.int().min(1).max(300),
    delay_seconds: z.int().min(0).max(A_YEAR_SECONDS),
    copies: z.int().min(1).max(10),
    /** How many events one body carries. */
    size: z.int().min(2).max(50),
    age_seconds: z.int().min(1).max(A_YEAR_SECONDS),
  })
  .partial();
export type FaultParameters = z.output<typeof FaultParameters>;

/** What each action can be given, and the default of each. */
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
