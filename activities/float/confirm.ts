// Waits until the account of an unmatched credit has its entry. A notification alone proves no money.
import { nothingYet } from '../failure.js';
import type { Confirmation } from '../../domain/float/credit.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Dependencies } from '../dependencies.js';

export interface ConfirmArgs {
  uid: string;
  accountUid: string;
  /** When the case started. */
  since: Instant;
  /** The case is flagged already, so only the entry is news. */
  isOverdue: boolean;
}

export function confirmCreditActivity({
  records,
  credits: { decideWithinMs },
  now,
}: Pick<Dependencies, 'records' | 'credits' | 'now'>) {
  /** Looks in our records, which another workflow fills. @returns without an entry once the case is overdue. */
  return async function confirmCredit(args: ConfirmArgs): Promise<Confirmation> {
    const { uid, accountUid, since, isOverdue } = args;
    const found = await records.floatEntry(accountUid, uid);
    if (found !== undefined) {
      const { amount, at, balanceAfter, connectionId } = found;
      return { found: { entry: { amount, at, balanceAfter }, connectionId }, decideWithinMs };
    }
    if (!isOverdue && now() >= Date.parse(since) + decideWithinMs) return { decideWithinMs };
    throw nothingYet('credit', 'no entry of the account confirms the credit');
  };
}
