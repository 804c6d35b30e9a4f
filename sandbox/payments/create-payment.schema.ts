// The body of POST /payto/payments, and the creditor that it and a retry may name.
import { z } from 'zod';
import { DocumentedPaymentSimulation } from './payment.schema.js';
import {
  asciiText,
  Cents,
  RequestAccountIdentifier,
  RequestMetadata,
  sandboxScript,
  Uid,
} from '../http/wire.schema.js';

export const RequestCreditor = z.strictObject({
  party_name: asciiText(140),
  ultimate_party_name: asciiText(140).nullish(),
  account_identifier: RequestAccountIdentifier,
});

export const CreatePayment = z.strictObject({
  uid: Uid,
  agreement_uid: Uid,
  amount: Cents,
  priority: z.enum(['attended', 'unattended']),
  reference: asciiText(35).nullish(),
  description: asciiText(280).nullish(),
  creditor_reference: asciiText(35).nullish(),
  creditor: RequestCreditor.nullish(),
  debtor: z
    .strictObject({ party_name: asciiText(140).nullish(), ultimate_party_name: asciiText(140).nullish() })
    .nullish(),
  last_payment: z.boolean().nullish(),
  metadata: RequestMetadata.nullish(),
  sandbox: sandboxScript(DocumentedPaymentSimulation).optional(),
});
export type CreatePayment = z.output<typeof CreatePayment>;
