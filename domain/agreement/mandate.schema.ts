// The request and answer schemas of an agreement, with the provider's field names and limits (docs/provider.md#agreements-creation, #conventions).
// Plain zod with `.meta()` for OpenAPI. Workflows import only the types.
import { z } from 'zod';
import { answered } from '../provider/answer.schema.js';
import { bytesOf } from '../facts/retention.js';
import { ACCOUNT_TYPES, FREQUENCIES, PURPOSES, TERMS_TYPES } from '../provider/lists.js';
import { UID } from '../provider/uid.js';

export const UidSchema = z
  .string()
  .regex(UID, 'expected 1 to 64 of the characters A-Z a-z 0-9 _ ~ . -')
  .refine((uid) => uid !== '.' && uid !== '..', 'expected a uid other than . and .., which are path segments')
  .meta({ description: 'Chosen by the caller. It must be unique forever.', example: 'agr-2f9c' });

/** Printable ASCII, which is all that the payments scheme carries (docs/provider.md#conventions). */
export const text = (max: number): z.ZodString =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[ -~]*$/, 'expected printable ASCII characters only');

/** The provider does not restrict the characters of a payment's description (docs/provider.md#conventions). */
export const PaymentDescription = z.string().max(280);

export const CentsSchema = z
  .int('expected a whole number of cents')
  .min(1, 'expected at least 1 cent')
  .max(1_000_000_000, 'expected at most 1,000,000,000 cents')
  .meta({ description: 'Whole cents, 1 to 1,000,000,000.', example: 4200 });

export const DateSchema = z.iso
  .date('expected an existing date in the format YYYY-MM-DD')
  .meta({ description: 'A day in Australia/Sydney.', example: '2026-12-01' });

export const AccountIdentifierSchema = z
  .strictObject({
    type: z.enum(ACCOUNT_TYPES),
    value: text(256),
  })
  .meta({ id: 'AccountIdentifier', example: { type: 'bban', value: '200001-12340001' } });

const PartySchema = z.strictObject({
  party_name: text(140).optional(),
  ultimate_party_name: text(140).optional(),
  account_identifier: AccountIdentifierSchema.optional(),
  payment_account_uid: UidSchema.optional(),
});

const DebtorSchema = PartySchema.refine(
  (debtor) => debtor.payment_account_uid !== undefined || debtor.account_identifier !== undefined,
  {
    path: ['account_identifier'],
    message: 'expected an account_identifier, or the payment_account_uid of a counterparty',
  },
).meta({ id: 'Debtor' });

export const CreditorSchema = PartySchema.meta({
  id: 'Creditor',
  description:
    'Must have a `party_name` and an account. Without an `ultimate_party_name`, the `party_name` is used for both.',
});

const BEFORE_CLIENT_ID =
  'Only in versions of the payments API before 20260901, which require `name`, `legal_name` and exactly one of `abn` and `acn`.';

/** The version of the payments API decides which fields may be sent (docs/provider.md#versions). */
const InitiatorSchema = z
  .strictObject({
    name: text(140).optional(),
    client_id: text(64).optional().meta({ description: 'Only from version 20260901 of the payments API.' }),
    legal_name: text(140).optional().meta({ description: BEFORE_CLIENT_ID }),
    abn: text(64).optional().meta({ description: BEFORE_CLIENT_ID, example: '53004085616' }),
    acn: text(64).optional().meta({ description: BEFORE_CLIENT_ID, example: '004085616' }),
  })
  .meta({ id: 'Initiator' });

export const PaymentTermsSchema = z
  .strictObject({
    type: z.enum(TERMS_TYPES),
    frequency: z.enum(FREQUENCIES),
    count: z.int().min(1).optional(),
    amount: CentsSchema.optional().meta({ description: 'Required for fixed and balloon terms.' }),
    max_amount: CentsSchema.optional().meta({ description: 'For variable and usage_based terms.' }),
    first_payment_amount: CentsSchema.optional().meta({ description: 'For balloon terms.' }),
    last_payment_amount: CentsSchema.optional().meta({ description: 'For balloon terms.' }),
    first_payment_date: DateSchema.optional(),
    last_payment_date: DateSchema.optional(),
  })
  .meta({ id: 'PaymentTerms' });

const MOST_METADATA_BYTES = 2048;
/** A flat object that the provider returns unchanged (docs/provider.md#conventions). */
export const MetadataSchema = z
  .record(z.string().max(64), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .refine(
    (metadata) => bytesOf(metadata) <= MOST_METADATA_BYTES,
    `expected at most ${MOST_METADATA_BYTES} bytes of JSON in UTF-8`,
  )
  .meta({ id: 'Metadata' });

/** The terms that the payer is asked to accept: everything in an agreement except its uid. */
export const MandateSchema = z.strictObject({
  purpose: z.enum(PURPOSES),
  description: text(140),
  debtor: DebtorSchema,
  creditor: CreditorSchema.optional(),
  initiator: InitiatorSchema.optional(),
  payment_terms: PaymentTermsSchema,
  validity_start_date: DateSchema.optional(),
  validity_end_date: DateSchema.optional(),
  resolution_requested_before: z.iso.datetime('expected an RFC 3339 instant in UTC, ending in Z').optional(),
  cancel_if_unresolved: z.boolean().optional(),
  metadata: MetadataSchema.optional(),
});

const AccountAnswered = z.object({
  type: z.string(),
  value: z.string().meta({
    description:
      'Masked except for the last three characters, also in texts, unless the API key has the scope `personal` or `operate`.',
  }),
});
export type AccountIdentifier = z.output<typeof AccountAnswered>;

export const PartyAnswered = answered(PartySchema)
  .extend({ account_identifier: AccountAnswered.nullish() })
  .meta({ id: 'PartyAnswered' });
export type Party = z.output<typeof PartyAnswered>;

const TermsAnswered = answered(PaymentTermsSchema).meta({ id: 'PaymentTermsAnswered' });
export type PaymentTerms = z.output<typeof TermsAnswered>;

/** The initiator as registered; an identification is compared with it (docs/provider.md#identification). */
const InitiatorAnswered = answered(InitiatorSchema).meta({ id: 'InitiatorAnswered' });

/** An agreement as the provider may return it. Every mandate from a caller also matches this schema. */
export const MandateAnswered = answered(MandateSchema).extend({
  initiator: InitiatorAnswered.nullish(),
  debtor: PartyAnswered.nullish(),
  creditor: PartyAnswered.nullish(),
  payment_terms: TermsAnswered.nullish(),
});
export type Mandate = z.output<typeof MandateAnswered>;
