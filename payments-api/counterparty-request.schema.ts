// The body that creates a counterparty. The provider publishes what it holds (interface 2.9), not the names of all its
// fields: those of the verifications and of the accounts are inferred (facts 7.6), and this file alone knows them.
import { z } from 'zod';
import { AccountIdentifier, open, uid, word } from './requests/parts.schema.js';

/** How somebody made sure; the methods' words are not published, but for `third_party_provider`. */
const Verification = z.strictObject({
  method: word,
  provider_name: open.optional(),
  reference: open.optional(),
  verified_at: z.iso.datetime({ offset: true }).optional(),
});

export const CounterpartyRequest = z.strictObject({
  identity: z.strictObject({ legal_name: open, verification: Verification.optional() }).optional(),
  payment_accounts: z
    .array(
      z.strictObject({
        uid: uid.optional(),
        account_identifier: AccountIdentifier,
        verification: Verification.optional(),
      }),
    )
    .min(1),
});
export type CounterpartyRequest = z.output<typeof CounterpartyRequest>;
