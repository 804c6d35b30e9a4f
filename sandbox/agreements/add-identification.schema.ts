// The body of POST A/add_identification. Its layout is not documented (interface 4.3, facts 7.6): this is the one place.
import { z } from 'zod';
import { ClientId } from './initiator.schema.js';
import { PaymentAccountUid } from './party.schema.js';

export const AddIdentification = z
  .strictObject({
    initiator: z.strictObject({ client_id: ClientId }).optional(),
    debtor: z.strictObject({ payment_account_uid: PaymentAccountUid }).optional(),
  })
  .refine(({ initiator, debtor }) => initiator !== undefined || debtor !== undefined, {
    message: 'must hold initiator.client_id, debtor.payment_account_uid or both',
  });
export type AddIdentification = z.output<typeof AddIdentification>;
