// The cases of unmatched credits: starts one for each credit that nothing explains, and waits for the entry that confirms it.
import { Context } from '@temporalio/activity';
import { joinCase, startCase } from '../../delivery/credits.js';
import { ifFound } from '../../delivery/open.js';
import { entryOf } from '../../domain/float/same-credit.js';
import { isUid } from '../../domain/provider/uid.js';
import { floatAccountMoved, floatAccountWorkflowId } from '../../workflows/float-account/contract.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { nothingYet, readFailure } from '../failure.js';
import type { FloatEntry } from '../../domain/float/chain.js';
import type { Confirmation, CreditReport } from '../../domain/float/credit.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';
import type { Client } from '@temporalio/client';
import type { Dependencies } from '../dependencies.js';

/** Entries that were stored earlier start no case. */
const OPENED_WITHIN_MS = 40 * 24 * 3_600_000;

interface Account {
  uid: string;
  connectionId: string;
}

/** A credit is unexplained if its notification was lost, or if it has none. A repeat starts nothing more. Throws the errors of the database and of Temporal. */
export async function matchAndOpenCases(deps: Dependencies, account: Account): Promise<void> {
  const { records, credits, temporal, taskQueue, now } = deps;
  const from = new Date(now() - OPENED_WITHIN_MS).toISOString();
  await records.matchEntries(account);
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
  /** What the notification says, and the notification. */
  report?: CreditReport | undefined;
  fact?: Fact | undefined;
}

/**
 * The account looks for the entry: once the case has its row, so that the entry is not matched with what its text names. Under `bearer` the
 * notification is only a hint, and a look does no harm. An account that is not followed yet is found by the next sweep.
 */
async function moveAccount({ workflow }: Client, uid: string): Promise<void> {
  await ifFound(workflow.getHandle(floatAccountWorkflowId(uid)).signal(floatAccountMoved));
}

type Confirming = Pick<Dependencies, 'records' | 'temporal' | 'credits' | 'now' | 'payments' | 'withAccess'>;

export function confirmCreditActivity(deps: Confirming) {
  const { temporal, credits, now } = deps;
  /**
   * A notification alone proves no money. Looks in our records, which another workflow fills.
   * @returns without an entry once the case is overdue, or if another case has its entry.
   * @throws ApplicationFailure as other reads do.
   */
  return async function confirmCredit(args: ConfirmArgs): Promise<Confirmation> {
    const { accountUid, since, isOverdue } = args;
    const { decideWithinMs } = credits;
    const found = (await byId(deps, args)) ?? (await byContent(deps, args));
    if (found !== undefined) return { ...found, decideWithinMs };
    if (Context.current().info.attempt === 1) await moveAccount(temporal, accountUid);
    if (!isOverdue && now() >= Date.parse(since) + decideWithinMs) return { decideWithinMs };
    throw nothingYet('credit', 'no entry of the account confirms the credit');
  };
}

type Found = Pick<Confirmation, 'found' | 'joined'>;

const foundIn = ({ connectionId, id, amount, at, balanceAfter }: Stored): Found => ({
  found: { entry: { id, amount, at, balanceAfter }, connectionId },
});
type Stored = FloatEntry & { connectionId: string };

/** The entry that the case has already, or the one with its id. */
async function byId({ records }: Confirming, { uid, accountUid }: ConfirmArgs): Promise<Found | undefined> {
  const own = await records.entryOfCase(accountUid, uid);
  if (own !== undefined) return foundIn(own);
  const entry = await records.floatEntry(accountUid, uid);
  if (entry === undefined) return undefined;
  const owner = await records.claimEntry(accountUid, entry.id, uid);
  return owner === undefined || owner === uid ? foundIn(entry) : { joined: owner };
}

/**
 * The only entry that the notification describes. If it has a case that started from it, the case of the notification joins that one, which gets
 * the notification, except if it was decided.
 */
async function byContent(deps: Confirming, args: ConfirmArgs): Promise<Found | undefined> {
  const { uid, accountUid, since, report, fact } = args;
  const { records, temporal, credits, now } = deps;
  if (report === undefined || fact === undefined) return undefined;
  const isFarAllowed = now() >= Date.parse(since) + credits.caseAfterMs;
  const entry = entryOf(report, await records.similarEntries(report), isFarAllowed);
  if (entry === undefined || (await isEntryId(deps, entry.connectionId, args))) return undefined;
  const { caseUid, isDecided } = entry;
  if (caseUid !== undefined)
    return isDecided || (await joinCase(temporal, caseUid, fact)) ? { joined: caseUid } : undefined;
  const owner = await records.claimEntry(accountUid, entry.id, uid);
  return owner === uid ? foundIn(entry) : undefined;
}

/** Whether the provider has an entry with the id of the notification: it is then only not stored yet. */
async function isEntryId(
  { payments, withAccess }: Confirming,
  connectionId: string,
  { uid, accountUid }: ConfirmArgs,
): Promise<boolean> {
  try {
    await withAccess(connectionId, (call) => payments.getFloatAccountEntry(accountUid, uid, call));
    return true;
  } catch (error) {
    if (error instanceof PaymentsApiError && (error.code === 'not_found' || wasNotSent(error))) return false;
    throw readFailure(error);
  }
}

/** No entry has an id of another form than a UUID, so the client refuses it before it sends anything. */
const wasNotSent = ({ code, status }: PaymentsApiError): boolean =>
  code === 'rejected' && status === undefined;
