// What the bodies of our requests are made of, closed as the provider's own schemas are (docs/provider.md#conventions).
// Only what the documents settle is checked; lists of words that may grow stay open.
import { z } from 'zod';
import { CentsSchema, DateSchema, UidSchema } from '../../domain/agreement/mandate.schema.js';
import { ACCOUNT_TYPES, TERMS_TYPES } from '../../domain/provider/lists.js';
import { PARTY, TERMS, fieldsOf } from '../shapes.js';

const HTML_ENTITY = /&(?:#\d+|#x[\da-f]+|[a-z]\w*);/i;
const MAX_METADATA_BYTES = 2048;

export const uid = UidSchema;
export const cents = CentsSchema;
export const date = DateSchema;
/** RFC 3339 in UTC, ending in Z (docs/provider.md#agreements-creation). */
const utc = z.iso.datetime();

const hasNoEntity = (written: string): boolean => !HTML_ENTITY.test(written);

/** Free text: printable ASCII without HTML entities (docs/provider.md#conventions). */
export const text = (max: number): z.ZodString =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[ -~]*$/, 'expected printable ASCII characters only')
    .refine(hasNoEntity, 'expected the character itself for an HTML entity');

/** A word of a list that the provider may add to. */
export const word = z
  .string()
  .regex(/^[\w.-]{1,64}$/, 'expected 1 to 64 of the characters A-Z a-z 0-9 _ . -');

/** Text of which no rule is documented. */
export const open = z.string().min(1);

/** An atom and a label of an e-mail address, as the provider has them. */
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';

/** The form of a value by the type of its account (docs/provider.md#agreements-creation). */
const ACCOUNT_FORMS: Record<(typeof ACCOUNT_TYPES)[number], { form: RegExp; expected: string }> = {
  bban: {
    form: /^\d{6}-[ -~]{1,28}$/,
    expected: 'expected a branch code of 6 digits, a hyphen and an account number',
  },
  alias_phone: {
    form: /^\+\d{1,3}-[1-9]\d{1,29}$/,
    expected: 'expected a phone number as in +61-411222333, without a 0 after the hyphen',
  },
  alias_email: {
    form: new RegExp(`^${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LABEL}$`),
    expected: 'expected an e-mail address in small letters, whose domain has a dot',
  },
  alias_abn: { form: /^(\d{9}|\d{11})$/, expected: 'expected an ABN or ACN: 11 or 9 digits' },
  alias_organisation_identifier: {
    form: /^[!-@[-~][ -@[-~]{0,254}[!-@[-~]$/,
    expected: 'expected 2 to 256 characters without capitals, and no blank at either end',
  },
};

/** docs/provider.md#agreements-creation; a type that we know has a value of its form. */
export const AccountIdentifier = z
  .strictObject({ type: word, value: text(256) })
  .superRefine(({ type, value }, context) => {
    const listed = ACCOUNT_TYPES.find((one) => one === type);
    if (listed === undefined || ACCOUNT_FORMS[listed].form.test(value)) return;
    context.addIssue({ code: 'custom', path: ['value'], message: ACCOUNT_FORMS[listed].expected });
  });

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
  /** The description of a payment, for which the provider sets no alphabet. */
  text280: z
    .string()
    .max(280)
    .refine(hasNoEntity, 'expected the character itself for an HTML entity')
    .nullish(),
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

const AMOUNTS = ['amount', 'max_amount', 'first_payment_amount', 'last_payment_amount'] as const;

/** Which amounts each type of terms has; `amount` is needed where it is among them. */
const AMOUNTS_OF: Record<(typeof TERMS_TYPES)[number], readonly (typeof AMOUNTS)[number][]> = {
  fixed: ['amount'],
  balloon: ['amount', 'first_payment_amount', 'last_payment_amount'],
  variable: ['max_amount'],
  usage_based: ['max_amount'],
};

/** docs/provider.md#agreements-creation; terms of a type that we know have the amounts of that type. Null counts as none. */
export const PaymentTerms = z.strictObject(fieldsOf(TERMS, LEAVES)).superRefine((terms, context) => {
  const type = TERMS_TYPES.find((one) => one === terms.type);
  if (type === undefined) return;
  const allowed = AMOUNTS_OF[type];
  for (const field of AMOUNTS)
    if (terms[field] != null && !allowed.includes(field))
      context.addIssue({ code: 'custom', path: [field], message: `expected none for ${type} terms` });
  if (allowed.includes('amount') && terms.amount == null)
    context.addIssue({ code: 'custom', path: ['amount'], message: `expected an amount for ${type} terms` });
});

/** Which of these fields may be sent, the version decides. */
export const Initiator = z.strictObject({
  name: text(140).nullish(),
  client_id: word.nullish(),
  legal_name: text(140).nullish(),
  abn: z
    .string()
    .regex(/^\d{11}$/, 'expected 11 digits')
    .nullish(),
  acn: z
    .string()
    .regex(/^\d{9}$/, 'expected 9 digits')
    .nullish(),
});

export const KINDS = {
  ...LEAVES,
  party: Party.nullish(),
  partyChanges: PartyChanges.nullish(),
  terms: PaymentTerms.nullish(),
  initiator: Initiator.nullish(),
};
