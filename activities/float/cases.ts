// The cases of unmatched credits: starts one for each credit that nothing explains, and waits for the entry that confirms it.
import { Context } from '@temporalio/activity';
import { startCase } from '../../delivery/credits.js';
import { ifFound } from '../../delivery/open.js';
import { isUid } from '../../domain/provider/uid.js';
import { floatAccountMoved, floatAccountWorkflowId } from '../../workflows/float-account/contract.js';
import { nothingYet } from '../failure.js';
import type { Confirmation } from '../../domain/float/credit.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Client } from '@temporalio/client';
import type { Dependencies } from '../dependencies.js';

/** Older entries are not matched again, and start no case. */
const MATCHED_AGAIN_MS = 40 * 24 * 3_600_000;

interface Account {
  uid: string;
  connectionId: string;
}

/** A credit is unexplained if its notification was lost, or if it has none. A repeat starts nothing more. Throws the errors of the database and of Temporal. */
export async function matchAndOpenCases(deps: Dependencies, account: Account): Promise<void> {
  const { records, credits, temporal, taskQueue, now } = deps;
  const from = new Date(now() - MATCHED_AGAIN_MS).toISOString();
  await records.matchEntries(account, from);
  const until = new Date(now() - credits.caseAfterMs).toISOString();
  const uids = await records.creditsWithoutCase(account.uid, { from, until });
  const to = { client: temporal, taskQueue };
  for (const uid of uids)
    if (isUid(uid)) await startCase(to, { uid, accountUid: account.uid }, account.connectionId);
}

export interface ConfirmArgs {
  uid: string;
  accountUid: string;
  /** When the case started. */
  since: Instant;
  /** The case is flagged already, so only the entry is news. */
  isOverdue: boolean;
}

/**
 * The account looks for the entry: once the case has its row, so that the entry is not matched with what its text names. Under `bearer` the
 * notification is only a hint, and a look does no harm. An account that is not followed yet is found by the next sweep.
 */
async function moveAccount({ workflow }: Client, uid: string): Promise<void> {
  await ifFound(workflow.getHandle(floatAccountWorkflowId(uid)).signal(floatAccountMoved));
}

export function confirmCreditActivity({
  records,
  temporal,
  credits: { decideWithinMs },
  now,
}: Pick<Dependencies, 'records' | 'temporal' | 'credits' | 'now'>) {
  /** A notification alone proves no money. Looks in our records, which another workflow fills. @returns without an entry once the case is overdue. */
  return async function confirmCredit(args: ConfirmArgs): Promise<Confirmation> {
    const { uid, accountUid, since, isOverdue } = args;
    const found = await records.floatEntry(accountUid, uid);
    if (found !== undefined) {
      const { amount, at, balanceAfter, connectionId } = found;
      return { found: { entry: { amount, at, balanceAfter }, connectionId }, decideWithinMs };
    }
    if (Context.current().info.attempt === 1) await moveAccount(temporal, accountUid);
    if (!isOverdue && now() >= Date.parse(since) + decideWithinMs) return { decideWithinMs };
    throw nothingYet('credit', 'no entry of the account confirms the credit');
  };
}
