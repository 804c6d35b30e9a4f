// What callers may say to take a payment under an agreement (docs/provider.md#payments-creation).
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
    attempts: z.int().min(1).max(10).meta({ description: 'So many retries at the most.' }),
    every_seconds: z
      .int()
      .min(60)
      .max(30 * 24 * 3600)
      .meta({ description: 'So long after each failure; later where the provider says so.' }),
  })
  .meta({ description: 'That it is tried again by itself while its failure is retryable.' });

const CreatePayment = z.strictObject({
  uid: UidSchema.optional().meta({ description: 'Left out, it is derived from the Idempotency-Key.' }),
  amount: CentsSchema,
  priority: z.enum(PRIORITIES).default('unattended'),
  reference: text(35).optional(),
  description: PaymentDescription.optional(),
  creditor_reference: text(35).optional(),
  creditor: CreditorSchema.optional(),
  last_payment: z.boolean().optional(),
  metadata: MetadataSchema.optional(),
});
type CreatePayment = z.output<typeof CreatePayment>;

/** With what stays here. */
export const RequestPayment = CreatePayment.extend({
  submit_before: z.iso
    .datetime('expected an RFC 3339 instant in UTC, ending in Z')
    .transform((text) => new Date(text).toISOString())
    .optional()
    .meta({
      description:
        'It is not sent after that, and ends `lapsed` if it was not sent before. Left out: the end of the Sydney day on which it is asked for.',
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
          description: 'Left out, the `party_name` is used for both. Null: there is none.',
        }),
        account_identifier: AccountIdentifierSchema,
      })
      .optional()
      .meta({ description: 'In place of the one that it was sent with.' }),
  })
  .meta({ id: 'RetryPayment' });
export type RetryPayment = z.output<typeof RetryPayment>;

export const WithdrawPayment = z
  .strictObject({ reason: text(256).meta({ description: 'Why it is not wanted any more; kept with it.' }) })
  .meta({ id: 'WithdrawPayment' });

/** A payment's order as the provider may answer it. */
export const OrderAnswered = answered(CreatePayment)
  .omit({ uid: true })
  .extend({ agreement_uid: z.string().nullish(), creditor: PartyAnswered.nullish() });
type OrderAnswered = z.output<typeof OrderAnswered>;

type Order = Omit<CreatePayment, 'uid'> & { agreement_uid: string };
/** What a payment asks for: what a caller must say is there, in any words. */
export type PaymentOrder = {
  [Name in keyof Order]: undefined extends Order[Name]
    ? OrderAnswered[Name]
    : NonNullable<OrderAnswered[Name]>;
};
