// The webhook of a credit that nobody was told to expect (interface 2.7): an envelope of its own, without links.
import { bbanOf } from './float-account-at.js';
import type { FloatAccount, FloatEntry } from './float-account.schema.js';
import type { IncomingCredit } from './incoming-credit.schema.js';

export const UNMATCHED_CREDIT = 'float_accounts.unmatched_credit.received';

export type Channel = 'new_payments_platform' | 'direct_entry';

const bban = (value: string) => ({ type: 'bban', value });

/** @param entry its id is that of the transaction, by which the event is known as well. */
export function formatUnmatchedCredit(
  account: FloatAccount,
  entry: FloatEntry,
  credit: IncomingCredit,
  channel: Channel,
) {
  return {
    data: {
      id: entry.id,
      type: 'FloatBankTransaction',
      received_at: entry.created_at,
      amount: entry.amount,
      description: entry.description,
      channel,
      creditor: {
        id: account.id,
        type: 'FloatBankAccount',
        party_name: account.title,
        account_identifier: bban(bbanOf(account)),
        owner: { id: account.owner_id, type: 'Account' },
      },
      debtor: formatDebtor(credit),
    },
    event: {
      at: entry.created_at,
      type: UNMATCHED_CREDIT,
      who: {
        account_id: account.owner_id,
        account_type: 'Account',
        bank_account_id: account.id,
        bank_account_type: 'BankAccount',
      },
    },
  };
}

function formatDebtor({
  debtor_name,
  reference,
  from_bsb,
  from_account_number,
  description,
}: IncomingCredit) {
  return {
    party_name: debtor_name,
    reference,
    account_identifier: bban(`${digits(from_bsb)}-${from_account_number}`),
    ...(description === undefined ? {} : { description }),
  };
}

/** A branch code may be written `200-001`. */
export const digits = (branch: string): string => branch.replace('-', '');
