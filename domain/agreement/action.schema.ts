// The bodies of commands for an agreement (docs/provider.md#agreements-actions and #amendments), with the provider's field names.
import { z } from 'zod';
import { AccountIdentifierSchema, CentsSchema, DateSchema, UidSchema, text } from './mandate.schema.js';
import { DECISIONS } from '../attention/resolution.js';
import type { PaymentTerms } from './mandate.js';
import { CANCELLATION_REASONS, FREQUENCIES, SUSPENSION_REASONS, TERMS_TYPES } from '../provider/lists.js';

const narrative = z
  .string()
  .min(1)
  .max(256)
  .optional()
  .meta({ description: 'A sentence that explains the reason, and that the payer may read.' });

export const SuspendAgreement = z
  .strictObject({ reason: z.enum(SUSPENSION_REASONS).default(SUSPENSION_REASONS[0]), narrative })
  .meta({ id: 'SuspendAgreement' });

export const CancelAgreement = z
  .strictObject({ reason: z.enum(CANCELLATION_REASONS).default(CANCELLATION_REASONS[0]), narrative })
  .meta({ id: 'CancelAgreement' });

/** The provider's reason code, with an optional narrative. */
export type Why = z.output<typeof SuspendAgreement | typeof CancelAgreement>;

/** Null removes the field. */
const cents = CentsSchema.nullish();
const date = DateSchema.nullish();

const TermsChanges = z
  .strictObject({
    type: z.enum(TERMS_TYPES).optional(),
    frequency: z.enum(FREQUENCIES).optional(),
    count: z.int().min(1).nullish(),
    amount: cents,
    max_amount: cents,
    first_payment_amount: cents,
    last_payment_amount: cents,
    first_payment_date: date,
    last_payment_date: date,
  } satisfies Record<keyof PaymentTerms, z.ZodType>)
  .meta({ id: 'PaymentTermsChanges' });

const CreditorChanges = z
  .strictObject({
    party_name: text(140).optional(),
    ultimate_party_name: text(140).nullish(),
    account_identifier: AccountIdentifierSchema.optional(),
  })
  .meta({ id: 'CreditorChanges' });

/** The start date cannot be amended. From version 20260901 the initiator cannot be amended either (docs/provider.md#versions). */
const Changes = z
  .strictObject({
    description: text(140).optional(),
    validity_end_date: date,
    payment_terms: TermsChanges.optional(),
    creditor: CreditorChanges.optional(),
  })
  .refine((changes) => Object.keys(changes).length > 0, 'expected at least one change')
  .meta({
    id: 'AgreementChanges',
    description: 'The fields to change. A field that is left out stays as it is, and null removes it.',
  });

export const AmendAgreement = z
  .strictObject({
    changes: Changes,
    resolution_requested_before: z.iso
      .datetime('expected an RFC 3339 instant in UTC, ending in Z')
      .optional()
      .meta({
        description: 'The time by which you ask the payer to decide. The actual expiry does not change.',
      }),
  })
  .meta({ id: 'AmendAgreement' });
export type Proposal = z.output<typeof AmendAgreement>;

/** At least one of the two (docs/provider.md#identification). */
export const IdentifyAgreement = z
  .strictObject({
    initiator: z.strictObject({ client_id: text(64) }).optional(),
    debtor: z.strictObject({ payment_account_uid: UidSchema }).optional(),
  })
  .refine(
    ({ initiator, debtor }) => initiator !== undefined || debtor !== undefined,
    'expected initiator.client_id, debtor.payment_account_uid, or both',
  )
  .meta({ id: 'IdentifyAgreement' });
export type Identification = z.output<typeof IdentifyAgreement>;

/** An empty body: the path names the command. */
export const NoBody = z.strictObject({}).meta({ id: 'NoBody' });

export const ResolveAttention = z
  .strictObject({
    reason: text(256).meta({ description: 'Why the flag is resolved; stored in the timeline.' }),
    decision: z.enum(DECISIONS).optional().meta({
      description:
        'Required for `parked`, and not allowed for other flags. `adopt`: treat the resource that the provider has under this uid as ours. `close`: give up our resource.',
    }),
  })
  .meta({ id: 'ResolveAttention' });
