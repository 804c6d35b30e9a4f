// Finds the payment accounts that rows name, if we know their counterparties.
import { paymentAccountsOf, type PaymentAccount } from '../../domain/client/may-initiate.js';
import { UID } from '../../domain/provider/uid.js';
import {
  COUNTERPARTY_WORKFLOW,
  getCounterparty,
  type CounterpartyView,
} from '../../workflows/counterparty/contract.js';
import { ask } from '../temporal/ask.js';
import type { Dependencies } from '../dependencies.js';
import type { Visibility } from '../temporal/visibility.js';

type Read = Pick<Dependencies, 'temporal' | 'records'>;

/** How many counterparties of one account uid are read: refused ones, and one that was registered. */
const MOST_OF_ONE_UID = 10;

/** Finds an account by its uid; undefined if we do not know it. */
export type AccountReader = (uid: string) => Promise<PaymentAccount | undefined>;

/** Reads all accounts with one Temporal list query, at the first request for one of them. */
export function createAccountReader(
  deps: Read,
  visibility: Visibility,
  uids: readonly string[],
): AccountReader {
  const read: { accounts?: Promise<Map<string, PaymentAccount>> } = {};
  return async (uid) => {
    // The agreement of an identification row may already have another account.
    if (!uids.includes(uid)) return (await accountsAmong(deps, visibility, [uid])).get(uid);
    read.accounts ??= accountsAmong(deps, visibility, uids);
    // If one counterparty does not answer, only the rows that name its accounts fail.
    return (await read.accounts.catch(() => accountsAmong(deps, visibility, [uid]))).get(uid);
  };
}

async function accountsAmong(
  { temporal, records }: Read,
  visibility: Visibility,
  uids: readonly string[],
): Promise<Map<string, PaymentAccount>> {
  const accounts = new Map<string, PaymentAccount>();
  // A refused account may have been registered later. The registered one counts.
  const add = (view: CounterpartyView): void => {
    for (const [uid, account] of paymentAccountsOf(view))
      if (account.isRegistered || !accounts.has(uid)) accounts.set(uid, account);
  };
  // Prevents query injection. Our search attributes contain only ids of this form.
  const valid = uids.filter((uid) => UID.test(uid));
  if (valid.length === 0) return accounts;
  const named = valid.map((uid) => `'${uid}'`);
  const query = `WorkflowType = '${COUNTERPARTY_WORKFLOW}' AND ExecutionStatus != 'ContinuedAsNew' AND PaymentAccountUids IN (${named.join(', ')})`;
  for await (const { workflowId } of visibility.list(query)) {
    const view = await ask(temporal, workflowId, getCounterparty);
    if (view !== undefined) add(view);
  }
  // Temporal has forgotten the others, or does not list them yet. While the records are away, the provider judges alone.
  for (const uid of valid.filter((one) => accounts.get(one)?.isRegistered !== true)) {
    const views = await records.counterpartiesWith(uid, MOST_OF_ONE_UID).catch(() => []);
    for (const view of views) add(view as CounterpartyView);
  }
  return accounts;
}
