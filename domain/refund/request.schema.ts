// The body that refunds a payment (docs/provider.md#refunds), and the provider's answer.
import { z } from 'zod';
import { answered } from '../provider/answer.schema.js';
import { CentsSchema, MetadataSchema, UidSchema } from '../agreement/mandate.schema.js';

/** Printable ASCII and emoji (docs/provider.md#refunds). */
const PRINTABLE = /^[ -~\p{Emoji}]+$/u;
export const RefundDescription = z
  .string()
  .min(1)
  .max(280)
  // Not a pattern of the document: other languages cannot read \p{Emoji}.
  .refine((text) => PRINTABLE.test(text), 'expected printable ASCII characters and emoji only')
  .meta({ description: 'Printable ASCII characters and emoji only.' });

const FromFloat = z
  .strictObject({
    type: z.literal('float_bank_payment'),
    float_bank_account_id: z.guid('expected the UUID of a float account').meta({
      description: 'The float account that pays. `GET /v1/float-accounts` lists them.',
    }),
    amount: CentsSchema,
    description: RefundDescription.optional().meta({
      description: 'Must start with REFUND. Printable ASCII characters and emoji only.',
      example: 'REFUND part',
    }),
  })
  .meta({ id: 'RefundFromFloatAccount' });

const FromAgreement = z
  .strictObject({
    type: z.literal('pay_to_payment'),
    agreement_uid: UidSchema.meta({ description: 'The agreement under which the payment is taken.' }),
    uid: UidSchema.optional().meta({
      description: 'The uid of the payment that pays the refund. Default: chosen by the provider.',
    }),
    amount: CentsSchema,
    description: RefundDescription.optional(),
  })
  .meta({ id: 'RefundByPayment' });

export const RequestRefund = z
  .strictObject({
    uid: UidSchema.optional().meta({ description: 'Default: derived from the Idempotency-Key.' }),
    refund_payment: z.discriminatedUnion('type', [FromFloat, FromAgreement]).meta({
      description: 'How it is paid: from a float account, or by a payment under an agreement.',
    }),
    metadata: MetadataSchema.optional(),
  })
  .meta({ id: 'CreateRefund' });
type RequestRefund = z.output<typeof RequestRefund>;

/** The requested refund. */
export type RefundOrder = Omit<RequestRefund, 'uid'> & { original_payment_uid: string };

/** How a refund is paid, as the provider may return it. */
export const RefundPaymentAnswered = answered(FromFloat)
  .extend(answered(FromAgreement).shape)
  .extend({ type: z.string().nullish() })
  .meta({ id: 'RefundPaymentAnswered' });
