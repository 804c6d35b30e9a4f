// One pass over the provider's lists: compares each page with our records and signals the differences. Open resources that no page has shown
// are then fetched one by one.
import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import {
  isReadable,
  judge,
  addFinding,
  addMissing,
  markComplete,
  markStopped,
  type Difference,
  type Listed,
  type SweepReport,
  type Tracked,
} from '../../domain/sweep/comparison.js';
import { RESOURCES, workflowIdOf, type EventResource } from '../../domain/resources.js';
import { deliver, messageOf } from '../../delivery/deliver.js';
import { recipientOf } from '../../delivery/recipients.js';
import { eventMessagesOf } from '../../workflows/contracts/every-workflow.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { LEFT_CARRIED, isAtTheBeginning, type Progress } from './progress.js';
import { SWEPT, type Narrowed } from './swept.js';
import { openAmong, trackedAmong, type LocalSide } from './tracked.js';
import type { ResourceSnapshot } from '../../domain/facts/snapshot.js';
import type { ListPage } from '../../payments-api/http/paging.js';
import type { Dependencies } from '../dependencies.js';
import type { Visibility } from '../temporal/visibility.js';

export interface Sweep {
  deps: Dependencies;
  visibility: Visibility;
  resource: EventResource;
  connectionId: string;
  before: ReadonlyMap<string, Difference>;
  /** Every uid that this attempt has seen. A list that shifts during the read may show a resource twice. */
  met: Set<string>;
  /** Our open uids that no page has shown yet; absent if unknown. */
  left: Set<string> | undefined;
  progress: Omit<Progress, 'left'>;
}

/** What the next attempt needs to continue, as heartbeat details. */
export const progressOf = ({ progress, left }: Sweep): Progress => ({
  ...progress,
  left: left !== undefined && left.size <= LEFT_CARRIED ? [...left] : undefined,
});

/** The provider's largest page size (docs/provider.md#lists): 2,000 agreements are 20 requests. */
const PER_PAGE = 100;
/** A list is treated as endless after this many consecutive pages without a new uid, or after ten million rows. */
const BARREN_AT_MOST = 10;
const MAX_PAGES = 100_000;
/** One for the agreement, one for its history. */
const REQUESTS_PER_LOOK_UP = 2;

export const listsOf = ({ resource, progress: { report, isWhole = false } }: Sweep): readonly Narrowed[] =>
  SWEPT[resource].lists(report.startedAt, isWhole);

/** @throws the errors of the provider's client, of Temporal and of the records. The progress covers everything that was read. */
export async function walk(sweep: Sweep): Promise<SweepReport> {
  const { connectionId, progress } = sweep;
  // Must be read before the provider's lists: a resource that starts later may be missing in them.
  if (isAtTheBeginning(progress))
    sweep.left = await openAmong(localSide(sweep), connectionId, progress.report.startedAt);
  for (const narrowed of listsOf(sweep).slice(progress.list ?? 0))
    if (!(await readToItsEnd(sweep, narrowed))) return markStopped(sweep.progress.report, 'endless_list');
  if (sweep.left === undefined) return sweep.progress.report;
  await askFor(sweep, sweep.left);
  return markComplete(sweep.progress.report);
}

/** @returns false if the list is endless. */
async function readToItsEnd(sweep: Sweep, narrowed: Narrowed): Promise<boolean> {
  const requested = new Set<string>();
  for (let barren = 0; ;) {
    const { next: from, list = 0, report } = sweep.progress;
    if (report.pages > 0) await pause(sweep, 1);
    const page = await read(sweep, from ?? { ...narrowed, perPage: PER_PAGE });
    const { length: fresh } = await take(sweep, page);
    const { next } = page;
    const isRead = next === undefined;
    sweep.progress = { ...sweep.progress, next, list: isRead ? list + 1 : list };
    heartbeat(progressOf(sweep));
    if (isRead) return true;
    barren = fresh === 0 ? barren + 1 : 0;
    if (requested.has(next) || barren > BARREN_AT_MOST || report.pages >= MAX_PAGES) return false;
    requested.add(next);
  }
}

const read = (
  { deps: { payments, withAccess }, resource, connectionId }: Sweep,
  from: (Narrowed & { perPage: number }) | string,
): Promise<ListPage<ResourceSnapshot>> =>
  withAccess(connectionId, (call) => SWEPT[resource].readPage(payments, from, call));

/** Signals all differences of a page and adds the page to the report. @returns the resources that were not seen before. */
async function take(sweep: Sweep, page: ListPage<ResourceSnapshot>): Promise<readonly Listed[]> {
  const { met, left } = sweep;
  const fresh = page.items.filter(({ uid }) => !met.has(uid) && met.add(uid));
  const tracked = await trackedAmong(localSide(sweep), fresh.filter(isReadable).map(uidOf));
  let { report } = sweep.progress;
  for (let unread = page.unreadable; unread > 0; unread -= 1) report = addFinding(report, 'unreadable', '');
  for (const listed of fresh) report = await addFound(sweep, report, listed, tracked.get(listed.uid));
  for (const { uid } of fresh) left?.delete(uid);
  sweep.progress = { ...sweep.progress, report: { ...report, pages: report.pages + 1 } };
  return fresh;
}

const localSide = ({ deps: { records }, visibility, resource }: Sweep): LocalSide => ({
  records,
  visibility,
  resource,
});

const uidOf = ({ uid }: Listed): string => uid;

/** A resource that no page has shown has ended, is in a state that no list covers, or is missing. Only a direct read can tell. */
async function askFor(sweep: Sweep, left: Set<string>): Promise<void> {
  while (left.size > 0) {
    const some = firstOf(left, PER_PAGE);
    const tracked = await trackedAmong(localSide(sweep), some);
    for (const uid of some) {
      const listed = tracked.get(uid);
      // A resource that has ended during the sweep needs no read.
      if (listed?.isOpen === true) await askForOne(sweep, listed);
      left.delete(uid);
      heartbeat(progressOf(sweep));
    }
  }
}

function firstOf(uids: Iterable<string>, count: number): string[] {
  const first: string[] = [];
  for (const uid of uids) if (first.push(uid) === count) break;
  return first;
}

async function askForOne(sweep: Sweep, tracked: Tracked): Promise<void> {
  const { deps, resource, connectionId } = sweep;
  await pause(sweep, 1);
  const found = await deps
    .withAccess(connectionId, (call) => SWEPT[resource].read(deps.payments, tracked.uid, call))
    .catch((error: unknown) => {
      if (error instanceof PaymentsApiError && error.code === 'not_found') return undefined;
      throw error;
    });
  const { report: before } = sweep.progress;
  const report =
    found === undefined
      ? addMissing(before, tracked.uid)
      : await addFound(sweep, before, { uid: tracked.uid, state: found.state }, tracked);
  sweep.progress = { ...sweep.progress, report: { ...report, requested: report.requested + 1 } };
}

async function addFound(
  sweep: Sweep,
  report: SweepReport,
  { uid, state }: Listed,
  tracked: Tracked | undefined,
): Promise<SweepReport> {
  const { deps, resource, connectionId, before } = sweep;
  const judging = { connectionId, before, adopts: deps.sweep.adopts };
  const { finding, isSignalled, difference } = judge(
    RESOURCES[resource].provider.compared,
    { uid, state },
    tracked,
    judging,
  );
  if (isSignalled) await signalDiffers(sweep, uid);
  return addFinding(report, finding, uid, difference);
}

/** Pauses for as long as this number of requests may take, counting also the requests that a sweep causes. Other callers get the rest of the rate limit. */
const pause = ({ deps }: Sweep, requests: number): Promise<void> =>
  Context.current().sleep(requests * deps.sweep.paceMs);

/** An open run looks itself up. A run that has ended is reopened. An unknown resource gets a workflow. */
async function signalDiffers(sweep: Sweep, uid: string): Promise<void> {
  const { deps, resource, connectionId } = sweep;
  const to = { client: deps.temporal, taskQueue: deps.taskQueue };
  const message = messageOf('the sweep', eventMessagesOf(resource).differs);
  if (!(await deliver(to, recipientOf(resource, uid, connectionId), message)))
    throw ApplicationFailure.create({
      type: 'not_delivered',
      message: `${workflowIdOf(resource, uid)} was not signalled: its run ended before it received the signal`,
    });
  await pause(sweep, REQUESTS_PER_LOOK_UP);
}
