// The body of POST /payto/payments.
import { z } from 'zod';
import { PaymentSimulation } from './payment.schema.js';
import {
  asciiText,
  Cents,
  RequestAccountIdentifier,
  RequestMetadata,
  sandboxScript,
  Uid,
} from '../http/wire.schema.js';

export const CreatePayment = z.strictObject({
  uid: Uid,
  agreement_uid: Uid,
  amount: Cents,
  priority: z.enum(['attended', 'unattended']),
  reference: asciiText(35).nullish(),
  description: asciiText(280).nullish(),
  creditor_reference: asciiText(35).nullish(),
  creditor: z
    .strictObject({
      party_name: asciiText(140),
      ultimate_party_name: asciiText(140).nullish(),
      account_identifier: RequestAccountIdentifier,
    })
    .nullish(),
  debtor: z
    .strictObject({ party_name: asciiText(140).nullish(), ultimate_party_name: asciiText(140).nullish() })
    .nullish(),
  last_payment: z.boolean().nullish(),
  metadata: RequestMetadata.nullish(),
  sandbox: sandboxScript(PaymentSimulation).optional(),
});
export type CreatePayment = z.output<typeof CreatePayment>;
