// Reads the new entries of a float account, stores each once, and checks that every balance follows from the one before.
import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { createChain } from '../../domain/float/chain.js';
import { MOST_BREAKS } from '../../domain/float/account.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { nothingYet, readFailure } from '../failure.js';
import type { CallCode } from '../../domain/provider/call-codes.js';
import { matchAndOpenCases } from './cases.js';
import { detailsWith, withHeartbeats } from '../attempts/heartbeat.js';
import type { FloatEntry } from '../../domain/float/chain.js';
import type { FloatAccountSnapshot, FloatProgress, FloatReading } from '../../domain/float/account.js';
import type { NewFloatEntry } from '../../domain/float/entries.js';
import type { FloatAccount, FloatAccountEntry } from '../../payments-api/answers/resources.schema.js';
import type { Dependencies } from '../dependencies.js';

export interface FollowArgs {
  uid: string;
  connectionId: string;
  progress: FloatProgress;
}

/** The provider's largest page (docs/provider.md#lists). */
const PER_PAGE = 100;
/** Rows of one check. */
const CHECKED_AT_ONCE = 2000;

/** Heartbeat details: everything from `newest` down to `after` is stored. */
interface Walk {
  newest?: NonNullable<FloatProgress['newest']> | undefined;
  after?: string | undefined;
  unreadable: number;
}

export function followFloatAccountActivity(deps: Dependencies) {
  /**
   * Waits for entries that are newer than `progress.newest`. Each attempt asks once; without news, Temporal retries after the poll interval.
   * @throws ApplicationFailure as other reads do. The next attempt continues after the last stored page.
   */
  return async function followFloatAccount(args: FollowArgs): Promise<FloatReading> {
    const walk = detailsWith<Walk>('unreadable') ?? { unreadable: 0 };
    const follow = async (): Promise<FloatReading | undefined> => {
      const found = await readNewEntries(deps, args, walk);
      await matchAndOpenCases(deps, args);
      if (found === undefined) return undefined;
      const account = await deps.withAccess(args.connectionId, (call) =>
        deps.payments.getFloatAccount(args.uid, call),
      );
      const { newest, unreadable } = walk;
      const { chain, balance, breaks } = await checkChain(deps, args);
      return {
        account: snapshotOf(account),
        progress: { isRead: true, newest, chain, balance },
        // Counted in the records, because a reading that was interrupted has stored entries too.
        entryCount: await deps.records.countEntries(args.uid),
        ...{ unreadable, isGap: found.isGap, breaks },
      };
    };
    const reading = await withHeartbeats(follow, () => walk).catch((error: unknown) => {
      throw isGone(error) ? accountGone(args.uid) : readFailure(error);
    });
    if (reading === undefined) throw nothingYet('float', 'the provider lists no newer entry');
    return reading;
  };
}

/** Unlike a new resource, the account was listed before. */
const isGone = (error: unknown): boolean => error instanceof PaymentsApiError && error.code === 'not_found';

const accountGone = (uid: string): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'not_found' satisfies CallCode,
    message: `The provider has no float account ${uid}.`,
    nonRetryable: true,
  });

/** Stores page by page, newest first. @returns undefined if there is nothing new. */
async function readNewEntries(
  { records, withAccess, payments, sweep: { paceMs } }: Dependencies,
  { uid, connectionId, progress: { isRead, newest: previous } }: FollowArgs,
  walk: Walk,
): Promise<{ isGap: boolean } | undefined> {
  let page: NewFloatEntry[] = [];
  let isPreviousListed = false;
  const store = async (): Promise<void> => {
    await records.storeEntries({ uid, connectionId, isNew: isRead === true }, page);
    walk.after = page.at(-1)?.id ?? walk.after;
    page = [];
    heartbeat(walk);
    await Context.current().sleep(paceMs);
  };
  const isQuiet = await withAccess(connectionId, async (call) => {
    page = [];
    walk.unreadable = 0;
    const filter = { perPage: PER_PAGE, ...(walk.after !== undefined && { startingAfter: walk.after }) };
    for await (const listed of payments.listFloatAccountEntries(uid, filter, call)) {
      const entry = entryIn(listed);
      if (entry === undefined) {
        walk.unreadable += 1;
        continue;
      }
      if (previous !== undefined && entry.id === previous.id) {
        if (walk.newest === undefined) return true;
        isPreviousListed = true;
      }
      walk.newest ??= { id: entry.id, at: entry.at };
      // Another entry of the same instant may have been listed behind it since.
      if (previous !== undefined && Date.parse(entry.at) < Date.parse(previous.at)) break;
      page.push(entry);
      if (page.length === PER_PAGE) await store();
    }
    return isRead === true && previous === undefined && walk.newest === undefined;
  });
  if (isQuiet) return undefined;
  await store();
  return { isGap: previous !== undefined && !isPreviousListed };
}

async function checkChain(
  { records }: Dependencies,
  { uid, progress: { chain: from } }: FollowArgs,
): Promise<Pick<FloatProgress, 'chain' | 'balance'> & Pick<FloatReading, 'breaks'>> {
  const chain = createChain(from);
  let instant: FloatEntry[] = [];
  const close = (): void => {
    if (instant.length > 0) chain.addInstant(instant);
    instant = [];
  };
  for (let place = { at: from?.at ?? '0001-01-01T00:00:00.000Z', afterId: '' }; ;) {
    const entries = await records.entriesFrom(uid, place, CHECKED_AT_ONCE);
    for (const entry of entries) {
      if (instant[0]?.at !== entry.at) close();
      instant.push(entry);
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < CHECKED_AT_ONCE) break;
    place = { at: last.at, afterId: last.id };
  }
  close();
  return { chain: chain.place(), balance: chain.balance(), breaks: chain.breaks().slice(-MOST_BREAKS) };
}

function entryIn({
  id,
  created_at: at,
  amount,
  available_balance_after: balanceAfter,
  description,
}: FloatAccountEntry): NewFloatEntry | undefined {
  if (id == null || at == null || amount == null || balanceAfter == null) return undefined;
  return { id, at: new Date(at).toISOString(), amount, balanceAfter, description: description ?? undefined };
}

const snapshotOf = (account: FloatAccount): FloatAccountSnapshot => ({
  title: account.title ?? undefined,
  bankName: account.bank_name ?? undefined,
  branchCode: account.branch_code ?? undefined,
  accountNumber: account.account_number ?? undefined,
  status: account.status ?? undefined,
});
