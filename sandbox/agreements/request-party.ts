// A party of a request with the account it stands for: its own, or that of a registered counterparty.
import { paymentAccount } from '../clients/payment-accounts.js';
import type { Engine } from '../engine.js';
import type { AccountIdentifier, Party } from '../entities.schema.js';
import { refuseByCode } from '../http/refusal.js';
import { isSameAccount } from './account-rules.js';
import type { RequestParty } from './party.schema.js';

/** @throws Refusal: 422 ZPUNP00 for an unknown payment account, or one that is not the account given beside it. */
export function partyFrom(engine: Engine, role: 'debtor' | 'creditor', asked: RequestParty): Party {
  return {
    party_name: asked.party_name,
    ultimate_party_name: asked.ultimate_party_name ?? asked.party_name,
    account_identifier: accountOf(engine, role, asked),
    payment_account_uid: asked.payment_account_uid ?? null,
  };
}

function accountOf(
  engine: Engine,
  role: 'debtor' | 'creditor',
  { account_identifier: given, payment_account_uid: uid }: RequestParty,
): AccountIdentifier {
  if (uid == null) {
    if (given != null) return given;
    throw refuseByCode('ZPUNP00', `${role}.account_identifier: is required`);
  }
  const registered = paymentAccount(engine, uid)?.account_identifier;
  if (registered === undefined) {
    throw refuseByCode('ZPUNP00', `${role}.payment_account_uid: there is no payment account ${uid}`);
  }
  if (given == null || isSameAccount(given, registered)) return registered;
  throw refuseByCode('ZPUNP00', `${role}.payment_account_uid: its account is not account_identifier`);
}
