// The body of POST /counterparties. Interface 2.9 says what it holds, but shows no field names of verifications and no
// words for their methods beyond `third_party_provider`: all that is inferred, and stands here alone.
import { z } from 'zod';
import { asciiText, RequestAccountIdentifier, Uid } from '../http/wire.schema.js';

const words = asciiText(140);
const VerifiedAt = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-10-03T02:00:00Z' });

/** Documented: by its name, a reference and a timestamp. */
const ByThirdParty = z.strictObject({
  method: z.literal('third_party_provider'),
  provider_name: words,
  reference: words,
  verified_at: VerifiedAt,
});
const byOwnService = { reference: words.nullish(), verified_at: VerifiedAt.nullish() };

const AccountVerification = z.discriminatedUnion('method', [
  ByThirdParty,
  z.strictObject({ method: z.literal('account_validation'), ...byOwnService }),
  z.strictObject({ method: z.literal('alias_resolution'), ...byOwnService }),
]);
export type RequestVerification = z.output<typeof AccountVerification>;

/** Which accounts a method can say anything of: the services take either a branch and number, or an alias (facts 15). */
function fits(method: RequestVerification['method'] | undefined, accountType: string): boolean {
  if (method === 'account_validation') return accountType === 'bban';
  return method !== 'alias_resolution' || accountType !== 'bban';
}

const RequestPaymentAccount = z
  .strictObject({
    /** Uids of this service are the caller's, ids its own; whether this one is has no document. Both are taken. */
    uid: Uid.nullish(),
    account_identifier: RequestAccountIdentifier,
    verification: AccountVerification.nullish(),
  })
  .refine(({ verification, account_identifier }) => fits(verification?.method, account_identifier.type), {
    path: ['verification', 'method'],
    error: 'does not fit the type of the account',
  });

export const CreateCounterparty = z.strictObject({
  identity: z.strictObject({ legal_name: words, verification: ByThirdParty }).nullish(),
  payment_accounts: z.array(RequestPaymentAccount).min(1).max(100),
});
export type CreateCounterparty = z.output<typeof CreateCounterparty>;
