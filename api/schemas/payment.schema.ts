// What the API answers of payments.
import { z } from 'zod';
import { PartyAnswered } from './agreement.schema.js';
import { Attention, Awaiting, InstantSchema, NextLink } from './legible.schema.js';

const PaymentLinks = z.object({
  self: z.string(),
  agreement: z.string().nullable(),
  temporal_ui: z.string().nullable(),
});

export const Payment = z
  .object({
    uid: z.string(),
    agreement_uid: z.string().nullable(),
    connection: z.string().nullable(),
    state: z.enum([
      'requested', 'created', 'submitting', 'pending', 'under_investigation', 'settled', 'failed', 'unknown',
    ]), // prettier-ignore
    state_since: InstantSchema,
    amount: z.int().nullable().meta({ description: 'Cents.' }),
    priority: z.string().nullable(),
    reference: z.string().nullable(),
    description: z.string().nullable(),
    creditor_reference: z.string().nullable(),
    creditor: PartyAnswered.nullable(),
    last_payment: z.boolean().nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    failure: z
      .object({
        code: z.string().nullable(),
        title: z.string().nullable(),
        detail: z.string().nullable(),
        retryable: z.boolean().nullable(),
      })
      .nullable(),
    requested_at: InstantSchema,
    submissions: z
      .int()
      .meta({ description: 'How often it was sent to the provider, always under this one uid.' }),
    awaiting: Awaiting,
    attention: z.array(Attention),
    links: PaymentLinks,
  })
  .meta({ id: 'Payment' });
export type Payment = z.output<typeof Payment>;

export const PaymentAnswer = z.object({ data: Payment }).meta({ id: 'PaymentAnswer' });

const PaymentSummary = z
  .object({ uid: z.string(), amount: z.int(), requested_at: InstantSchema, links: PaymentLinks })
  .meta({ id: 'PaymentSummary' });

export const PaymentsAnswer = z
  .object({
    data: z.array(PaymentSummary).meta({ description: 'Oldest first.' }),
    older_count: z
      .int()
      .optional()
      .meta({ description: 'How many older payments are known only by number.' }),
    links: NextLink,
  })
  .meta({ id: 'PaymentsAnswer' });
