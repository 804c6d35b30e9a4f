// What the bodies of our requests are made of, closed as the provider's own schemas are (docs/provider.md#conventions).
// Only what the documents settle is checked; lists of words that may grow stay open.
import { z } from 'zod';
import {
  AccountIdentifierSchema,
  CentsSchema,
  DateSchema,
  UidSchema,
} from '../../domain/agreement/mandate.schema.js';
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
    .regex(/^[ -~]*$/, 'expected printable ASCII characters only')
    .refine((written) => !HTML_ENTITY.test(written), 'expected the character itself for an HTML entity');

/** A word of a list that the provider may add to. */
export const word = z
  .string()
  .regex(/^[\w.-]{1,64}$/, 'expected 1 to 64 of the characters A-Z a-z 0-9 _ . -');

/** Text of which no rule is documented. */
export const open = z.string().min(1);

const IDENTIFIER_TYPES: ReadonlySet<string> = new Set(AccountIdentifierSchema.shape.type.options);

/** docs/provider.md#agreements-creation; a type that we know has a value of its pattern. */
export const AccountIdentifier = z
  .strictObject({ type: word, value: text(256) })
  .refine(
    (account) => !IDENTIFIER_TYPES.has(account.type) || AccountIdentifierSchema.safeParse(account).success,
    {
      path: ['value'],
      message: 'expected a value of the form that the account type asks for',
    },
  );

/** A flat object of 2 KB at most, echoed in webhooks (docs/provider.md#conventions). */
export const Metadata = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .refine(
    (metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= MAX_METADATA_BYTES,
    `expected at most ${MAX_METADATA_BYTES} bytes of JSON in UTF-8`,
  );

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

/** What an amendment says of the creditor: any of it; `payment_account_uid` names a counterparty's account (docs/provider.md#agreements-creation). */
const PartyChanges = z.strictObject(fieldsOf(PARTY, LEAVES));

/** A creditor or debtor of an agreement: its name, and an account in one of two ways. */
export const Party = PartyChanges.extend({ party_name: text(140) }).refine(
  (party) => party.account_identifier != null || party.payment_account_uid != null,
  {
    path: ['account_identifier'],
    message: 'expected an account_identifier, or the payment_account_uid of a counterparty',
  },
);

/** Who is paid, where a payment says so itself (docs/provider.md#payments-creation): by its own account, never by that of a counterparty. */
export const Payee = z.strictObject({
  party_name: text(140),
  ultimate_party_name: LEAVES.text140,
  account_identifier: AccountIdentifier,
});

/** The debtor's names, which a payment may carry with a permission of its own. */
export const PayerNames = z.strictObject({ party_name: LEAVES.text140, ultimate_party_name: LEAVES.text140 });

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
  partyChanges: PartyChanges.nullish(),
  terms: PaymentTerms.nullish(),
  initiator: Initiator.nullish(),
};
