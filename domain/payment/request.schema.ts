// The request and answer schemas of a payment under an agreement (docs/provider.md#payments-creation).
import { z } from 'zod';
import { answered } from '../provider/answer.schema.js';
import {
  AccountIdentifierSchema,
  CentsSchema,
  CreditorSchema,
  MetadataSchema,
  PaymentDescription,
  PartyAnswered,
  UidSchema,
  text,
} from '../agreement/mandate.schema.js';
import { PRIORITIES } from '../provider/lists.js';

export const RetryPolicySchema = z
  .strictObject({
    attempts: z.int().min(1).max(10).meta({ description: 'How often the payment is retried at most.' }),
    every_seconds: z
      .int()
      .min(60)
      .max(30 * 24 * 3600)
      .meta({ description: 'The delay after each failure, in seconds. Longer if the provider requires it.' }),
  })
  .meta({ description: 'Retries the payment automatically while its failure is retryable.' });

const CreatePayment = z.strictObject({
  uid: UidSchema.optional().meta({ description: 'Default: derived from the Idempotency-Key.' }),
  amount: CentsSchema,
  priority: z.enum(PRIORITIES).default('unattended').meta({
    description: '`attended`: the payer waits, so the provider processes the payment first.',
  }),
  reference: text(35)
    .optional()
    .meta({ description: 'Your reference, for example an invoice number. Lists can filter by it.' }),
  description: PaymentDescription.optional(),
  creditor_reference: text(35).optional(),
  creditor: CreditorSchema.optional(),
  last_payment: z.boolean().optional().meta({
    description:
      'Whether this is the last payment. Required under balloon terms, and not allowed under other terms.',
  }),
  metadata: MetadataSchema.optional(),
});
type CreatePayment = z.output<typeof CreatePayment>;

/** With the options that we do not send to the provider. */
export const RequestPayment = CreatePayment.extend({
  submit_before: z.iso
    .datetime('expected an RFC 3339 instant in UTC, ending in Z')
    .transform((text) => new Date(text).toISOString())
    .optional()
    .meta({
      description:
        'The worker does not send the payment for the first time after this. If it is still unsent, it ends as `lapsed`. Default: the end of the Sydney day of the request.',
      example: '2026-10-02T13:59:59Z',
    }),
  retry: RetryPolicySchema.optional(),
}).meta({ id: 'CreatePayment' });
export type RequestPayment = z.output<typeof RequestPayment>;

export const RetryPayment = z
  .strictObject({
    creditor: z
      .strictObject({
        party_name: text(140),
        ultimate_party_name: text(140).nullish().meta({
          description: 'Default: the `party_name`. Null means that there is no ultimate party.',
        }),
        account_identifier: AccountIdentifierSchema,
      })
      .optional()
      .meta({ description: 'Replaces the creditor of the previous attempt.' }),
  })
  .meta({ id: 'RetryPayment' });
export type RetryPayment = z.output<typeof RetryPayment>;

export const WithdrawPayment = z
  .strictObject({ reason: text(256).meta({ description: 'Why it is withdrawn; stored with it.' }) })
  .meta({ id: 'WithdrawPayment' });

/** A payment's order, as the provider may return it. */
export const OrderAnswered = answered(CreatePayment)
  .omit({ uid: true })
  .extend({ agreement_uid: z.string().nullish(), creditor: PartyAnswered.nullish() });
type OrderAnswered = z.output<typeof OrderAnswered>;

type Order = Omit<CreatePayment, 'uid'> & { agreement_uid: string };
/** A payment's order. Fields that callers must send are required; enums may have any text. */
export type PaymentOrder = {
  [Name in keyof Order]: undefined extends Order[Name]
    ? OrderAnswered[Name]
    : NonNullable<OrderAnswered[Name]>;
};
