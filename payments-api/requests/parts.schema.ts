// The parts of request bodies. Objects are closed, like the provider's own schemas (docs/provider.md#conventions).
// Only documented rules are checked; lists of words that may grow stay open.
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
    .refine(hasNoEntity, 'expected the character itself instead of an HTML entity');

/** A word from a list that the provider may extend. */
export const word = z
  .string()
  .regex(/^[\w.-]{1,64}$/, 'expected 1 to 64 of the characters A-Z a-z 0-9 _ . -');

/** Text without documented rules. */
export const open = z.string().min(1);

/** The atom and the label of an e-mail address, as the provider defines them. */
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';

/** The format of an account value, by type (docs/provider.md#agreements-creation). */
const ACCOUNT_FORMS: Record<(typeof ACCOUNT_TYPES)[number], { form: RegExp; expected: string }> = {
  bban: {
    form: /^\d{6}-[ -~]{1,28}$/,
    expected: 'expected a branch code of 6 digits, a hyphen and an account number',
  },
  alias_phone: {
    form: /^\+\d{1,3}-[1-9]\d{1,29}$/,
    expected: 'expected a phone number such as +61-411222333, without a 0 after the hyphen',
  },
  alias_email: {
    form: new RegExp(`^${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LABEL}$`),
    expected: 'expected an e-mail address in lower case with a dot in its domain',
  },
  alias_abn: { form: /^(\d{9}|\d{11})$/, expected: 'expected an ABN or ACN: 11 or 9 digits' },
  alias_organisation_identifier: {
    form: /^[!-@[-~][ -@[-~]{0,254}[!-@[-~]$/,
    expected: 'expected 2 to 256 characters without capitals, and no space at either end',
  },
};

/** docs/provider.md#agreements-creation. Values of known types must match their format. */
export const AccountIdentifier = z
  .strictObject({ type: word, value: text(256) })
  .superRefine(({ type, value }, context) => {
    const listed = ACCOUNT_TYPES.find((one) => one === type);
    if (listed === undefined || ACCOUNT_FORMS[listed].form.test(value)) return;
    context.addIssue({ code: 'custom', path: ['value'], message: ACCOUNT_FORMS[listed].expected });
  });

/** A flat object of at most 2 KB, echoed in webhooks (docs/provider.md#conventions). */
const Metadata = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .refine(
    (metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= MAX_METADATA_BYTES,
    `expected at most ${MAX_METADATA_BYTES} bytes of JSON in UTF-8`,
  );

/** The schema of each kind of field; null means that there is no value. */
const LEAVES = {
  word: word.nullish(),
  uid: uid.nullish(),
  text35: text(35).nullish(),
  text140: text(140).nullish(),
  /** The description of a payment, which may contain any characters. */
  text280: z
    .string()
    .max(280)
    .refine(hasNoEntity, 'expected the character itself instead of an HTML entity')
    .nullish(),
  count: z.int().min(1).nullish(),
  cents: cents.nullish(),
  date: date.nullish(),
  instant: utc.nullish(),
  flag: z.boolean().nullish(),
  account: AccountIdentifier.nullish(),
  metadata: Metadata.nullish(),
};

/** The creditor in an amendment: any subset. `payment_account_uid` names a counterparty's account (docs/provider.md#agreements-creation). */
const PartyChanges = z.strictObject(fieldsOf(PARTY, LEAVES));

/** A creditor or debtor of an agreement: its name, and an account in one of two forms. */
export const Party = PartyChanges.extend({ party_name: text(140) }).refine(
  (party) => party.account_identifier != null || party.payment_account_uid != null,
  {
    path: ['account_identifier'],
    message: 'expected an account_identifier, or the payment_account_uid of a counterparty',
  },
);

/** The creditor of a payment (docs/provider.md#payments-creation): with its own account, never that of a counterparty. */
export const Payee = z.strictObject({
  party_name: text(140),
  ultimate_party_name: LEAVES.text140,
  account_identifier: AccountIdentifier,
});

/** The debtor's names in a payment, which require a special permission. */
export const PayerNames = z.strictObject({ party_name: LEAVES.text140, ultimate_party_name: LEAVES.text140 });

const AMOUNTS = ['amount', 'max_amount', 'first_payment_amount', 'last_payment_amount'] as const;

/** The amounts of each type of terms. `amount` is required if listed. */
const AMOUNTS_OF: Record<(typeof TERMS_TYPES)[number], readonly (typeof AMOUNTS)[number][]> = {
  fixed: ['amount'],
  balloon: ['amount', 'first_payment_amount', 'last_payment_amount'],
  variable: ['max_amount'],
  usage_based: ['max_amount'],
};

/** docs/provider.md#agreements-creation. Terms of a known type must have the amounts of that type. Null counts as absent. */
export const PaymentTerms = z.strictObject(fieldsOf(TERMS, LEAVES)).superRefine((terms, context) => {
  const type = TERMS_TYPES.find((one) => one === terms.type);
  if (type === undefined) return;
  const allowed = AMOUNTS_OF[type];
  for (const field of AMOUNTS)
    if (terms[field] != null && !allowed.includes(field))
      context.addIssue({ code: 'custom', path: [field], message: `expected no value for ${type} terms` });
  if (allowed.includes('amount') && terms.amount == null)
    context.addIssue({ code: 'custom', path: ['amount'], message: `expected an amount for ${type} terms` });
});

/** The version decides the permitted fields. */
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
