// Schemas that several resources share, and the format of tables. They are schemas and not only types, because a saved store is
// parsed with them. Data only.
import { z } from 'zod';

/** A table by key. Saved as pairs and not as a record, because a uid may be `__proto__`. */
export function tableOf<Value>(value: z.ZodType<Value>) {
  const pairs = z.array(z.tuple([z.string(), value]));
  return pairs.transform((rows) => new Map<string, Value>(rows));
}

export const AccountIdentifier = z.object({ type: z.string(), value: z.string() });
export type AccountIdentifier = z.output<typeof AccountIdentifier>;

export const Party = z.object({
  party_name: z.string(),
  ultimate_party_name: z.string().nullable(),
  account_identifier: AccountIdentifier,
  payment_account_uid: z.string().nullable(),
});
export type Party = z.output<typeof Party>;

export const Metadata = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
export type Metadata = z.output<typeof Metadata>;
