// What callers may say to take a payment under an agreement (facts 8.1).
import { z } from 'zod';
import { CentsSchema, CreditorSchema, MetadataSchema, UidSchema, text } from './mandate.schema.js';

export const CreatePayment = z
  .strictObject({
    uid: UidSchema.optional().meta({ description: 'Left out, it is derived from the Idempotency-Key.' }),
    amount: CentsSchema,
    priority: z.enum(['attended', 'unattended']).default('unattended'),
    reference: text(35),
    description: text(280),
    creditor_reference: text(35),
    creditor: CreditorSchema.optional(),
    last_payment: z.boolean().optional(),
    metadata: MetadataSchema.optional(),
  })
  .meta({ id: 'CreatePayment' });
export type CreatePayment = z.output<typeof CreatePayment>;
