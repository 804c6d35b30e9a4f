// The provider's formats in requests: uids, texts, money, days, accounts, metadata and lists.
import { z } from 'zod';

const METADATA_BYTES = 2048;

/** Seconds on the sandbox's clock. */
export const DelaySeconds = z.int().min(0).max(86_400);

export const Uid = z.string().regex(/^[A-Za-z0-9_~.-]{1,64}$/, 'must match ^[A-Za-z0-9_~.-]{1,64}$');

/** Printable ASCII of at most this length, without HTML entities. */
export function asciiText(longest: number) {
  return z
    .string()
    .max(longest)
    .regex(/^[ -~]+$/, 'must be printable ASCII')
    .refine((text) => !/&(#\d+|#x[0-9a-f]+|[a-z]\w*);/i.test(text), 'must not contain HTML entities');
}

export const Cents = z.int().min(1).max(1_000_000_000);
export const Day = z.iso.date('must be a real date as YYYY-MM-DD');
export const Instant = z.iso.datetime('must be a time in UTC, such as 2026-10-03T02:00:00Z');

/** A query parameter with several values, separated by commas. */
export function commaSeparated<Item extends z.ZodType<unknown, string>>(item: Item) {
  return z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(item));
}

/** A flat object of at most 2 KB. */
export const RequestMetadata = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .refine(
    (metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_BYTES,
    'must be at most 2 KB',
  );

const VALUES = {
  bban: /^\d{6}-[ -~]{1,28}$/,
  alias_phone: /^\+\d{1,3}-[1-9]\d{1,29}$/,
  alias_email:
    /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
  alias_abn: /^(\d{9}|\d{11})$/,
  alias_organisation_identifier: /^[!-@[-~][ -@[-~]{0,254}[!-@[-~]$/,
} as const;
export const AccountType = z.enum([
  'bban',
  'alias_phone',
  'alias_email',
  'alias_abn',
  'alias_organisation_identifier',
]);

export const RequestAccountIdentifier = z
  .strictObject({ type: AccountType, value: z.string() })
  .refine(({ type, value }) => VALUES[type].test(value), {
    path: ['value'],
    error: 'does not match its type',
  });

/** Documented: scripts the other party. Each operation has its own values for `simulate`. */
export function sandboxScript<Simulation extends z.ZodType>(simulate: Simulation) {
  return z.strictObject({ simulate, delay: DelaySeconds.optional() });
}
