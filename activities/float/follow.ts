// Reads the new entries of a float account, stores each once, and checks that every balance follows from the one before.
import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { createChain, type ChainPlace, type FloatEntry } from '../../domain/float/chain.js';
import {
  MOST_BREAKS,
  type FloatAccountSnapshot,
  type FloatProgress,
  type FloatReading,
  type ReadAgain,
} from '../../domain/float/account.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { nothingYet, readFailure } from '../failure.js';
import type { CallCode } from '../../domain/provider/call-codes.js';
import { matchAndOpenCases } from './cases.js';
import { detailsWith, withHeartbeats } from '../attempts/heartbeat.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { NewFloatEntry } from '../../domain/float/entries.js';
import type { FloatAccount, FloatAccountEntry } from '../../payments-api/answers/resources.schema.js';
import type { Dependencies, Records } from '../dependencies.js';

export interface FollowArgs {
  uid: string;
  connectionId: string;
  progress: FloatProgress;
  again?: ReadAgain | undefined;
}

type Reading = Omit<FollowArgs, 'again'> & { again: Pick<ReadAgain, 'from' | 'place'> | undefined };

/** The provider's largest page (docs/provider.md#lists). */
const PER_PAGE = 100;
/** Rows of one check. */
const CHECKED_AT_ONCE = 2000;
const DAY_MS = 24 * 3_600_000;
/** So many days are read again once a day. */
const FAR_DAYS = 7;

/** Heartbeat details: everything from `newest` down to `after` is stored. */
interface Walk {
  /** When the first page was requested. */
  startedAt?: Instant | undefined;
  newest?: NonNullable<FloatProgress['newest']> | undefined;
  after?: string | undefined;
  isPreviousListed?: true | undefined;
  inserted: number;
  unreadable: number;
}

const NEW_WALK: Walk = { inserted: 0, unreadable: 0 };

export function followFloatAccountActivity(deps: Dependencies) {
  /**
   * Waits for entries that are newer than `progress.newest`, or that the provider lists late. Each attempt asks once; without news, Temporal retries
   * after the poll interval.
   * @throws ApplicationFailure as other reads do. The next attempt continues after the last stored page.
   */
  return async function followFloatAccount({ again, ...args }: FollowArgs): Promise<FloatReading> {
    let walk = detailsWith<Walk>('inserted') ?? { ...NEW_WALK };
    const isAgain = again?.until === undefined || deps.now() < Date.parse(again.until);
    const reading = await withHeartbeats(
      () => readOnce(deps, { ...args, again: isAgain ? again : undefined }, walk),
      () => walk,
    ).catch((error: unknown) => {
      throw isGone(error) ? accountGone(args.uid) : readFailure(error);
    });
    if (reading !== undefined) return reading;
    // Temporal gives the details to the next attempt, which starts at the newest entry.
    walk = { ...NEW_WALK };
    heartbeat(walk);
    throw nothingYet('float', 'the provider lists no entry that is not stored');
  };
}

/** @returns undefined if there is no news. */
async function readOnce(deps: Dependencies, args: FollowArgs, walk: Walk): Promise<FloatReading | undefined> {
  const { uid, connectionId, progress, again } = args;
  const startedAt = (walk.startedAt ??= new Date(deps.now()).toISOString());
  const daily = again ?? (await dailyReading(deps, args));
  const { newest, unreadable } = await readEntries(deps, { ...args, again: daily }, walk);
  if (unreadable === 0)
    await deps.records.markRead(uid, {
      at: startedAt,
      isFar: daily !== undefined || args.progress.isRead !== true,
    });
  await matchAndOpenCases(deps, args);
  const isNew = progress.isRead !== true || newest?.id !== progress.newest?.id || walk.inserted > 0;
  if (!isNew && again === undefined) return undefined;
  const { checkedFrom, ...checked } = await checkChain(deps, { ...args, again: daily });
  const isBroken = (id: string): boolean => checked.breaks.some(({ afterId }) => afterId === id);
  if (!isNew && again?.until !== undefined && again.brokenAt.every(isBroken)) return undefined;
  const account = await deps.withAccess(connectionId, (call) => deps.payments.getFloatAccount(uid, call));
  const { chain, beforeBreak, balance, breaks } = checked;
  return {
    account: snapshotOf(account),
    progress: { isRead: true, newest, chain, beforeBreak, balance },
    // Counted in the records, because a reading that was interrupted has stored entries too.
    entryCount: await deps.records.countEntries(uid),
    isGap: progress.newest !== undefined && walk.isPreviousListed !== true,
    ...{ unreadable, breaks, checkedFrom },
  };
}

/** Late entries that cancel each other break no chain, so the last days are read again once a day. */
async function dailyReading(
  { records, now }: Dependencies,
  { uid, progress }: FollowArgs,
): Promise<Pick<ReadAgain, 'from' | 'place'> | undefined> {
  if (progress.isRead !== true) return undefined;
  const farReadAt = await records.farReadAt(uid);
  if (farReadAt !== undefined && now() < Date.parse(farReadAt) + DAY_MS) return undefined;
  return { from: new Date(now() - FAR_DAYS * DAY_MS).toISOString(), place: undefined };
}

/** Unlike a new resource, the account was listed before. */
const isGone = (error: unknown): boolean => error instanceof PaymentsApiError && error.code === 'not_found';

const accountGone = (uid: string): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'not_found' satisfies CallCode,
    message: `The provider has no float account ${uid}.`,
    nonRetryable: true,
  });

/** Stores page by page, newest first, down to the instant of the reading before: another entry of that instant may be listed late. */
async function readEntries(
  { records, withAccess, payments, sweep: { paceMs } }: Dependencies,
  { uid, connectionId, progress: { isRead, newest: previous }, again }: Reading,
  walk: Walk,
): Promise<Walk> {
  const last = lastWanted(previous?.at, again);
  let page: NewFloatEntry[] = [];
  const store = async (): Promise<void> => {
    walk.inserted += await records.storeEntries({ uid, connectionId, isNew: isRead === true }, page);
    walk.after = page.at(-1)?.id ?? walk.after;
    page = [];
    heartbeat(walk);
    await Context.current().sleep(paceMs);
  };
  await withAccess(connectionId, async (call) => {
    page = [];
    walk.unreadable = 0;
    const filter = { perPage: PER_PAGE, ...(walk.after !== undefined && { startingAfter: walk.after }) };
    for await (const listed of payments.listFloatAccountEntries(uid, filter, call)) {
      const entry = entryIn(listed);
      if (entry === undefined) {
        // Behind the newest one of the reading before, it was counted then.
        if (walk.isPreviousListed !== true) walk.unreadable += 1;
        continue;
      }
      if (entry.id === previous?.id) walk.isPreviousListed = true;
      walk.newest ??= { id: entry.id, at: entry.at };
      if (Date.parse(entry.at) < last) break;
      if (entry.id !== previous?.id) page.push(entry);
      if (page.length === PER_PAGE) await store();
    }
  });
  if (page.length > 0) await store();
  return walk;
}

/** Older entries are not read, in milliseconds. */
function lastWanted(previousAt: Instant | undefined, again: Reading['again']): number {
  if (previousAt === undefined || (again !== undefined && again.from === undefined)) return -Infinity;
  return Math.min(Date.parse(previousAt), again?.from === undefined ? Infinity : Date.parse(again.from));
}

type Checked = Pick<FloatProgress, 'chain' | 'beforeBreak' | 'balance'> &
  Pick<FloatReading, 'breaks' | 'checkedFrom'>;

async function checkChain({ records }: Dependencies, { uid, progress, again }: Reading): Promise<Checked> {
  const from = await startOfCheck(records, uid, progress.chain, again);
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
  return {
    ...{ chain: chain.place(), beforeBreak: chain.beforeBreak(), balance: chain.balance() },
    ...{ breaks: chain.breaks().slice(-MOST_BREAKS), checkedFrom: from && foundFrom(from) },
  };
}

/** Breaks at the start of a check are not found if it does not start at a balance. */
const foundFrom = ({ at, ends }: ChainPlace): Instant =>
  ends.length > 0 ? at : new Date(Date.parse(at) + 1).toISOString();

/** Where the chain was checked last, or earlier if entries are read again. */
async function startOfCheck(
  { lastInstantBefore }: Pick<Records, 'lastInstantBefore'>,
  uid: string,
  chain: ChainPlace | undefined,
  again: Reading['again'],
): Promise<ChainPlace | undefined> {
  if (again === undefined || chain === undefined) return chain;
  if (again.place !== undefined || again.from === undefined) return again.place;
  if (Date.parse(again.from) > Date.parse(chain.at)) return chain;
  // Two instants before it, whose own balances show where they start: the break may be at the last one.
  const last = await lastInstantBefore(uid, again.from);
  const earlier = last && (await lastInstantBefore(uid, last));
  return earlier === undefined ? undefined : { at: earlier, ends: [] };
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
