// Compares the provider's list of agreements with ours, page by page, and signals those that differ. What it has
// read is in its heartbeats: the attempt after it goes on where it stopped.
// In:  workflows/sweep/workflow.ts.
// Out: payments-api/client.ts; activities/sweep/; delivery/deliver.ts.
import { Context, activityInfo, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { compare, differenceOf, isReadable, newReport, withFinding, withMissing } from '../domain/sweep.js';
import { deliver, messageOf } from '../delivery/deliver.js';
import { agreementOf } from '../delivery/recipients.js';
import { agreementDiffers } from '../workflows/agreement/contract.js';
import { readFailure } from './failure.js';
import { withHeartbeats } from './heartbeat.js';
import { openAmong, trackedAmong } from './sweep/lists.js';
import { LEFT_CARRIED, resumed } from './sweep/progress.js';
import type { Progress } from './sweep/progress.js';
import type { AgreementSnapshot } from '../domain/snapshot.js';
import type { Difference, Finding, Listed, SweepReport, Tracked } from '../domain/sweep.js';
import type { ListPage } from '../payments-api/http/paging.js';
import type { Dependencies } from './dependencies.js';

export interface SweepTask {
  connectionId: string;
  /** What the sweep before this one signalled for. */
  before: readonly Difference[];
}

/** What one attempt works with. */
interface Sweep {
  deps: Dependencies;
  connectionId: string;
  before: ReadonlyMap<string, Difference>;
  /** Every uid that this attempt has met: a list that shifts while it is read may show one twice. */
  met: Set<string>;
  progress: Progress;
}

const progressOf = ({ progress }: Sweep): Progress => ({
  ...progress,
  left: (progress.left?.length ?? 0) <= LEFT_CARRIED ? progress.left : undefined,
});

/** The most that the provider gives (docs/provider.md#lists): 2,000 agreements are 20 requests. */
const PER_PAGE = 100;
/** A million agreements. A list that goes on beyond this has no end. */
const MAX_PAGES = 10_000;
/** A cursor may have been forgotten meanwhile; what is refused again and again will be the next time. */
const REJECTED_AT_MOST = 3;
/** An agreement and its history. */
const REQUESTS_PER_LOOK_UP = 2;

export function sweepAgreementsActivity(deps: Dependencies) {
  /**
   * @returns the report, also where a person has to do something before the provider can be called: it says so.
   * @throws ApplicationFailure as other reads do; another attempt goes on behind the last page that was read.
   */
  return function sweepAgreements({ connectionId, before }: SweepTask): Promise<SweepReport> {
    const { info } = Context.current();
    const blank = newReport(connectionId, new Date(info.scheduledTimestampMs).toISOString());
    const sweep: Sweep = {
      deps,
      connectionId,
      before: new Map(before.map((one) => [one.uid, one])),
      met: new Set(),
      progress: resumed(info.heartbeatDetails, blank),
    };
    return withHeartbeats(
      () => attempt(sweep, blank),
      () => progressOf(sweep),
    );
  };
}

async function attempt(sweep: Sweep, blank: SweepReport): Promise<SweepReport> {
  try {
    return ended(sweep, await walk(sweep));
  } catch (error) {
    const failure = readFailure(error);
    const code = failure instanceof ApplicationFailure ? failure.type : undefined;
    if (code != null && isForAnOperator(failure))
      return ended(sweep, { ...sweep.progress.report, stopped: code });
    if (code === 'rejected') {
      const { report, rejections = 0 } = sweep.progress;
      if (rejections + 1 >= REJECTED_AT_MOST) return ended(sweep, { ...report, stopped: code });
      // The provider does not take the cursor any more: the next attempt reads the list from its beginning.
      sweep.progress = { report: blank, rejections: rejections + 1 };
    }
    heartbeat(progressOf(sweep));
    throw failure;
  }
}

const isForAnOperator = (failure: unknown): boolean =>
  failure instanceof ApplicationFailure && failure.nonRetryable === true;

const ended = ({ deps }: Sweep, report: SweepReport): SweepReport => ({
  ...report,
  endedAt: new Date(deps.now()).toISOString(),
});

async function walk(sweep: Sweep): Promise<SweepReport> {
  const { deps, connectionId, met } = sweep;
  if (sweep.progress.next === undefined) {
    // Read before the list is: what is open now has to be in it, whatever happens meanwhile.
    sweep.progress = { ...sweep.progress, left: await openAmong(deps.temporal, connectionId) };
  }
  const asked = new Set<string>();
  for (;;) {
    const { next: from } = sweep.progress;
    if (from !== undefined) await pause(sweep, 1);
    const page = await read(sweep, from);
    const report = await taken(sweep, page);
    const left = sweep.progress.left?.filter((uid) => !met.has(uid));
    sweep.progress = { ...sweep.progress, report, next: page.next, left };
    heartbeat(progressOf(sweep));
    if (page.next === undefined) break;
    if (asked.has(page.next) || report.pages >= MAX_PAGES) return { ...report, stopped: 'endless_list' };
    asked.add(page.next);
  }
  const { report, left } = sweep.progress;
  return left === undefined ? report : withMissing(report, left);
}

const read = (
  { deps: { payments, withAccess }, connectionId }: Sweep,
  from: string | undefined,
): Promise<ListPage<AgreementSnapshot>> =>
  withAccess(connectionId, (call) => payments.listAgreementPage(from ?? { perPage: PER_PAGE }, call));

/** The report with one page more, once all on it that differ have been signalled. */
async function taken(sweep: Sweep, page: ListPage<AgreementSnapshot>): Promise<SweepReport> {
  const { deps, met, progress } = sweep;
  const fresh = page.items.filter(({ uid }) => !met.has(uid) && met.add(uid));
  const readable = fresh.filter(isReadable).map(({ uid }) => uid);
  const tracked = await trackedAmong(deps.temporal, readable);
  let report = { ...progress.report, pages: progress.report.pages + 1 };
  for (let left = page.unreadable; left > 0; left -= 1) report = withFinding(report, 'unreadable', '');
  for (const { uid, state } of fresh) {
    const { finding, difference } = await found(sweep, { uid, state }, tracked.get(uid));
    report = withFinding(report, finding, uid, difference);
  }
  return report;
}

async function found(
  sweep: Sweep,
  listed: Listed,
  tracked: Tracked | undefined,
): Promise<{ finding: Finding; difference?: Difference }> {
  const { deps, connectionId, before } = sweep;
  const finding = compare(listed, tracked, connectionId);
  if (finding === 'unknown') {
    if (!deps.sweep.adopts) return { finding: 'unknownHere' };
    await signalDiffers(deps, connectionId, listed.uid);
    await pause(sweep, REQUESTS_PER_LOOK_UP);
    return { finding: 'adopted' };
  }
  if (finding !== 'differing' || tracked === undefined) return { finding };
  const difference = differenceOf(listed, tracked, before);
  if (difference.finding === 'unsettled') return difference;
  await signalDiffers(deps, connectionId, listed.uid);
  await pause(sweep, REQUESTS_PER_LOOK_UP);
  return difference;
}

/** As long as so many requests take that a sweep makes, or makes others make: the rest of the budget is not ours. */
const pause = ({ deps }: Sweep, requests: number): Promise<void> =>
  Context.current().sleep(requests * deps.sweep.paceMs);

/** An open run looks itself up; one that is over is taken up again for it; one that never was finds out what it is about. */
async function signalDiffers({ temporal }: Dependencies, connectionId: string, uid: string): Promise<void> {
  const to = { client: temporal, taskQueue: activityInfo().taskQueue };
  const message = messageOf('the sweep', agreementDiffers);
  if (await deliver(to, agreementOf(uid, connectionId), message)) return;
  throw ApplicationFailure.create({
    type: 'not_delivered',
    message: `agreement/${uid} began and ended again`,
  });
}
