// What the bodies of our requests are made of, closed as the provider's own schemas are (docs/provider.md#conventions).
// Only what the documents settle is checked; lists of words that may grow stay open.
import { z } from 'zod';
import { AccountIdentifierSchema, CentsSchema, DateSchema, UidSchema } from '../../domain/mandate.schema.js';
import { PARTY, TERMS, fieldsOf } from '../shapes.js';

const HTML_ENTITY = /&(?:#\d+|#x[\da-f]+|[a-z]\w*);/i;
const MAX_METADATA_BYTES = 2048;

export const uid = UidSchema;
export const cents = CentsSchema;
export const date = DateSchema;
/** RFC 3339 in UTC, ending in Z (docs/provider.md#agreements-creation). */
const utc = z.iso.datetime();

/** Free text: printable ASCII without HTML entities (docs/provider.md#conventions). */
export const text = (max: number): z.ZodString =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[ -~]*$/)
    .refine((written) => !HTML_ENTITY.test(written));

/** A word of a list that the provider may add to. */
export const word = z.string().regex(/^[\w.-]{1,64}$/);

/** Text of which no rule is documented. */
export const open = z.string().min(1);

const KNOWN_TYPES: ReadonlySet<string> = new Set(AccountIdentifierSchema.shape.type.options);

/** docs/provider.md#agreements-creation; a type that we know has a value of its pattern. */
export const AccountIdentifier = z
  .strictObject({ type: word, value: text(256) })
  .refine((account) => !KNOWN_TYPES.has(account.type) || AccountIdentifierSchema.safeParse(account).success, {
    path: ['value'],
  });

/** A flat object of 2 KB at most, echoed in webhooks (docs/provider.md#conventions). */
export const Metadata = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .refine((metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= MAX_METADATA_BYTES);

/** What may be sent in each kind of field; null says that there is none. */
const LEAVES = {
  word: word.nullish(),
  uid: uid.nullish(),
  text35: text(35).nullish(),
  text140: text(140).nullish(),
  text280: text(280).nullish(),
  count: z.int().min(1).nullish(),
  cents: cents.nullish(),
  date: date.nullish(),
  instant: utc.nullish(),
  flag: z.boolean().nullish(),
  account: AccountIdentifier.nullish(),
  metadata: Metadata.nullish(),
};

/** A creditor or debtor; `payment_account_uid` names a counterparty's account (docs/provider.md#agreements-creation). */
export const Party = z.strictObject(fieldsOf(PARTY, LEAVES));

export const PaymentTerms = z.strictObject(fieldsOf(TERMS, LEAVES));

/** Which of these fields may be sent, the version decides. */
export const Initiator = z.strictObject({
  name: text(140).nullish(),
  client_id: word.nullish(),
  legal_name: text(140).nullish(),
  abn: text(64).nullish(),
  acn: text(64).nullish(),
});

export const KINDS = {
  ...LEAVES,
  party: Party.nullish(),
  terms: PaymentTerms.nullish(),
  initiator: Initiator.nullish(),
};
