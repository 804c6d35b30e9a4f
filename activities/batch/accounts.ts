// Finds the payment accounts that rows name, if we know their counterparties.
import { paymentAccountsOf } from '../../domain/client/may-initiate.js';
import { UID } from '../../domain/provider/uid.js';
import { COUNTERPARTY_WORKFLOW, getCounterparty } from '../../workflows/counterparty/contract.js';
import { ask } from '../temporal/ask.js';
import type { Client } from '@temporalio/client';
import type { PaymentAccount } from '../../domain/client/may-initiate.js';
import type { Visibility } from '../temporal/visibility.js';

/** Finds an account by its uid; undefined if we do not know it. */
export type AccountReader = (uid: string) => Promise<PaymentAccount | undefined>;

/** Reads all accounts with one Temporal list query, at the first request for one of them. */
export function createAccountReader(
  temporal: Client,
  visibility: Visibility,
  uids: readonly string[],
): AccountReader {
  const read: { accounts?: Promise<Map<string, PaymentAccount>> } = {};
  return async (uid) => {
    // The agreement of an identification row may already have another account.
    if (!uids.includes(uid)) return (await accountsAmong(temporal, visibility, [uid])).get(uid);
    read.accounts ??= accountsAmong(temporal, visibility, uids);
    // If one counterparty does not answer, only the rows that name its accounts fail.
    return (await read.accounts.catch(() => accountsAmong(temporal, visibility, [uid]))).get(uid);
  };
}

async function accountsAmong(
  temporal: Client,
  visibility: Visibility,
  uids: readonly string[],
): Promise<Map<string, PaymentAccount>> {
  const accounts = new Map<string, PaymentAccount>();
  // Prevents query injection. Our search attributes contain only ids of this form.
  const named = uids.filter((uid) => UID.test(uid)).map((uid) => `'${uid}'`);
  if (named.length === 0) return accounts;
  const query = `WorkflowType = '${COUNTERPARTY_WORKFLOW}' AND ExecutionStatus != 'ContinuedAsNew' AND PaymentAccountUids IN (${named.join(', ')})`;
  for await (const { workflowId } of visibility.list(query)) {
    const view = await ask(temporal, workflowId, getCounterparty);
    if (view === undefined) continue;
    for (const [uid, account] of paymentAccountsOf(view)) {
      // A refused account may have been registered later. The registered one counts.
      if (account.isRegistered || !accounts.has(uid)) accounts.set(uid, account);
    }
  }
  return accounts;
}
