// The accounts of counterparties that rows name, as far as their counterparties are known here.
import { paymentAccountsOf } from '../../domain/client/may-initiate.js';
import { UID } from '../../domain/provider/uid.js';
import { COUNTERPARTY_WORKFLOW, getCounterparty } from '../../workflows/counterparty/contract.js';
import { ask } from '../temporal/ask.js';
import type { Client } from '@temporalio/client';
import type { PaymentAccount } from '../../domain/client/may-initiate.js';
import type { Visibility } from '../temporal/visibility.js';

/** By the uid of an account; undefined of one that is not known here. */
export type AccountReader = (uid: string) => Promise<PaymentAccount | undefined>;

/** Reads all of these once, with one query of Temporal's lists, when the first of them is asked for. */
export function createAccountReader(
  temporal: Client,
  visibility: Visibility,
  uids: readonly string[],
): AccountReader {
  const read: { accounts?: Promise<Map<string, PaymentAccount>> } = {};
  return async (uid) => {
    // An agreement that a row identifies may have another account already.
    if (!uids.includes(uid)) return (await accountsAmong(temporal, visibility, [uid])).get(uid);
    return (await (read.accounts ??= accountsAmong(temporal, visibility, uids))).get(uid);
  };
}

async function accountsAmong(
  temporal: Client,
  visibility: Visibility,
  uids: readonly string[],
): Promise<Map<string, PaymentAccount>> {
  const accounts = new Map<string, PaymentAccount>();
  // What is of another form could end its quotes, and none of our search attributes has it.
  const named = uids.filter((uid) => UID.test(uid)).map((uid) => `'${uid}'`);
  if (named.length === 0) return accounts;
  const query = `WorkflowType = '${COUNTERPARTY_WORKFLOW}' AND ExecutionStatus != 'ContinuedAsNew' AND PaymentAccountUids IN (${named.join(', ')})`;
  for await (const { workflowId } of visibility.list(query)) {
    const view = await ask(temporal, workflowId, getCounterparty);
    if (view === undefined) continue;
    for (const [uid, account] of paymentAccountsOf(view)) {
      // A refused account may have been registered later: the registered one counts.
      if (account.isRegistered || !accounts.has(uid)) accounts.set(uid, account);
    }
  }
  return accounts;
}
