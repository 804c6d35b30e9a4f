// How a counterparty looks on the wire: what the request said, with its id and the uid of every account.
import type { Counterparty, PaymentAccount } from './counterparty.schema.js';

export function formatCounterparty(
  { id, created_at, identity }: Counterparty,
  accounts: readonly PaymentAccount[],
) {
  return {
    id,
    created_at,
    identity,
    payment_accounts: accounts.map(({ uid, account_identifier, verification }) => ({
      uid,
      account_identifier,
      verification,
    })),
  };
}
