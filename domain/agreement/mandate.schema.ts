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
    type: z.enum(ACCOUNT_TYPES).meta({
      description: '`bban` is a branch code and an account number. All others are PayIDs.',
    }),
    value: text(256),
  })
  .meta({ id: 'AccountIdentifier', example: { type: 'bban', value: '200001-12340001' } });

const PartySchema = z.strictObject({
  party_name: text(140).optional(),
  ultimate_party_name: text(140).optional().meta({
    description: 'The party for which this one acts. Default: the `party_name`.',
  }),
  account_identifier: AccountIdentifierSchema.optional(),
  payment_account_uid: UidSchema.optional().meta({
    description: 'The uid of a verified account of a counterparty, which replaces `account_identifier`.',
  }),
});

const DebtorSchema = PartySchema.refine(
  (debtor) => debtor.payment_account_uid !== undefined || debtor.account_identifier !== undefined,
  {
    path: ['account_identifier'],
    message: 'expected an account_identifier, or the payment_account_uid of a counterparty',
  },
).meta({
  id: 'Debtor',
  description:
    'The payer. Needs a `party_name` and an account, or the `payment_account_uid` of a verified account.',
});

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
    client_id: text(64).optional().meta({
      description:
        'The provider’s id of the client that initiates. Allowed from version 20260901 of the payments API. Default: the primary client.',
    }),
    legal_name: text(140).optional().meta({ description: BEFORE_CLIENT_ID }),
    abn: text(64).optional().meta({ description: BEFORE_CLIENT_ID, example: '53004085616' }),
    acn: text(64).optional().meta({ description: BEFORE_CLIENT_ID, example: '004085616' }),
  })
  .meta({ id: 'Initiator' });

const PaymentTermsSchema = z
  .strictObject({
    type: z.enum(TERMS_TYPES).meta({
      description:
        '`fixed`: each payment has the same `amount`. `balloon`: the first or last one may differ. `variable` and `usage_based`: each has any amount up to `max_amount`.',
    }),
    frequency: z.enum(FREQUENCIES).meta({
      description: 'The period in which `count` payments are allowed. `adhoc` sets no period.',
    }),
    count: z.int().min(1).optional().meta({
      description: 'How many payments each period allows. Default: one, and any number for `adhoc`.',
    }),
    amount: CentsSchema.optional().meta({
      description: 'Required for fixed and balloon terms, and counted in whole cents.',
    }),
    max_amount: CentsSchema.optional().meta({
      description: 'Limits each payment under variable and usage_based terms. Counted in whole cents.',
    }),
    first_payment_amount: CentsSchema.optional().meta({
      description: 'Replaces `amount` for the first payment under balloon terms.',
    }),
    last_payment_amount: CentsSchema.optional().meta({
      description: 'Replaces `amount` for the last payment under balloon terms.',
    }),
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
  .meta({
    id: 'Metadata',
    description:
      'Your own data: a flat object of up to 2,048 bytes that the provider returns unchanged. Lists can filter by it.',
  });

/** The terms that the payer is asked to accept: everything in an agreement except its uid. */
export const MandateSchema = z.strictObject({
  purpose: z.enum(PURPOSES).meta({ description: 'What the payments are for.' }),
  description: text(140).meta({ description: 'A text for the payer, who reads it before they decide.' }),
  debtor: DebtorSchema,
  creditor: CreditorSchema.optional(),
  initiator: InitiatorSchema.optional(),
  payment_terms: PaymentTermsSchema,
  validity_start_date: DateSchema.optional().meta({
    description: 'The first day on which payments are allowed, in Sydney.',
  }),
  validity_end_date: DateSchema.optional().meta({
    description: 'The last day on which payments are allowed, in Sydney.',
  }),
  resolution_requested_before: z.iso
    .datetime('expected an RFC 3339 instant in UTC, ending in Z')
    .optional()
    .meta({
      description:
        'The time by which you ask the payer to decide. Default: five days ahead. The actual expiry does not change.',
    }),
  cancel_if_unresolved: z.boolean().optional().meta({
    description:
      'If true, the provider cancels the agreement at `resolution_requested_before` unless the payer has decided. Requires that field.',
  }),
  metadata: MetadataSchema.optional(),
});

export const AccountAnswered = z
  .object({
    type: z.string(),
    value: z.string().meta({
      description:
        'Masked except for the last three characters, also in texts, unless the API key has the scope `personal` or `operate`.',
    }),
  })
  .meta({ id: 'AccountIdentifierAnswered' });
export type AccountIdentifier = z.output<typeof AccountAnswered>;

export const PartyAnswered = answered(PartySchema)
  .extend({ account_identifier: AccountAnswered.nullish() })
  .meta({ id: 'PartyAnswered' });
export type Party = z.output<typeof PartyAnswered>;

export const TermsAnswered = answered(PaymentTermsSchema).meta({ id: 'PaymentTermsAnswered' });
export type PaymentTerms = z.output<typeof TermsAnswered>;

/** The initiator as registered; an identification is compared with it (docs/provider.md#identification). */
export const InitiatorAnswered = answered(InitiatorSchema).meta({ id: 'InitiatorAnswered' });

/** An agreement as the provider may return it. Every mandate from a caller also matches this schema. */
export const MandateAnswered = answered(MandateSchema).extend({
  initiator: InitiatorAnswered.nullish(),
  debtor: PartyAnswered.nullish(),
  creditor: PartyAnswered.nullish(),
  payment_terms: TermsAnswered.nullish(),
});
export type Mandate = z.output<typeof MandateAnswered>;
