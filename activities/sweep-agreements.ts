// Compares the provider's list of agreements with ours, page by page, and tells those that differ to look. What it has
// read is in its heartbeats: whoever takes it up goes on where it stopped.
// In:  workflows/sweep/workflow.ts.
// Out: payments-api/client.ts; activities/sweep-lists.ts; activities/sweep-tell.ts.
import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { compare, differenceOf, isReadable, newReport, withFinding, withMissing } from '../domain/sweep.js';
import { beating } from './beat.js';
import { readFailure } from './failure.js';
import { knownOpen, oursAmong } from './sweep-lists.js';
import { LEFT_CARRIED, resumed } from './sweep-progress.js';
import { tellToLook } from './sweep-tell.js';
import type { Progress } from './sweep-progress.js';
import type { AgreementSnapshot } from '../domain/snapshot.js';
import type { Finding, Ours, SweepReport, Theirs, Told } from '../domain/sweep.js';
import type { ListPage } from '../payments-api/http/paging.js';
import type { Dependencies } from './dependencies.js';

export interface SweepTask {
  connectionId: string;
  /** What the sweep before this one told of. */
  told: readonly Told[];
}

/** Asks and remembers for as long as the sweep lasts. */
interface Sweep {
  deps: Dependencies;
  connectionId: string;
  before: ReadonlyMap<string, Told>;
  /** Every uid that this attempt has met: a list that shifts while it is read may show one twice. */
  met: Set<string>;
  progress: Progress;
}

const progressOf = ({ progress }: Sweep): Progress => ({
  ...progress,
  left: (progress.left?.length ?? 0) <= LEFT_CARRIED ? progress.left : undefined,
});

/** The most that the provider gives (facts 6): 2,000 agreements are 20 requests. */
const PER_PAGE = 100;
/** A million agreements. A list that goes on beyond this has no end. */
const MAX_PAGES = 10_000;
/** A cursor may have been forgotten meanwhile; what is refused again and again will be the next time. */
const REJECTED_AT_MOST = 3;
/** A look at an agreement and its history. */
const REQUESTS_PER_LOOK = 2;

export function sweepAgreementsActivity(deps: Dependencies) {
  /**
   * @returns the report, also where a person has to do something before the provider will talk to us: it says so.
   * @throws ApplicationFailure as other reads do; another attempt goes on behind the last page that was read.
   */
  return function sweepAgreements({ connectionId, told }: SweepTask): Promise<SweepReport> {
    const { info } = Context.current();
    const blank = newReport(connectionId, new Date(info.scheduledTimestampMs).toISOString());
    const sweep: Sweep = {
      deps,
      connectionId,
      before: new Map(told.map((one) => [one.uid, one])),
      met: new Set(),
      progress: resumed(info.heartbeatDetails, blank),
    };
    return beating(() => attempt(sweep, blank), () => progressOf(sweep)); // prettier-ignore
  };
}

async function attempt(sweep: Sweep, blank: SweepReport): Promise<SweepReport> {
  try {
    return ended(sweep, await walk(sweep));
  } catch (error) {
    const failure = readFailure(error);
    const code = failure instanceof ApplicationFailure ? failure.type : undefined;
    if (code != null && isForAPerson(failure))
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

const isForAPerson = (failure: unknown): boolean =>
  failure instanceof ApplicationFailure && failure.nonRetryable === true;

const ended = ({ deps }: Sweep, report: SweepReport): SweepReport => ({
  ...report,
  endedAt: new Date(deps.now()).toISOString(),
});

async function walk(sweep: Sweep): Promise<SweepReport> {
  const { deps, connectionId, met } = sweep;
  if (sweep.progress.next === undefined) {
    // Read before the list is: what is open now has to be in it, whatever happens meanwhile.
    sweep.progress = { ...sweep.progress, left: await knownOpen(deps.temporal, connectionId) };
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

/** The report with one page more, once everyone on it that differs has been told. */
async function taken(sweep: Sweep, page: ListPage<AgreementSnapshot>): Promise<SweepReport> {
  const { deps, met, progress } = sweep;
  const fresh = page.items.filter(({ uid }) => !met.has(uid) && met.add(uid));
  const ours = await oursAmong(deps.temporal, fresh.filter(isReadable).map(({ uid }) => uid)); // prettier-ignore
  let report = { ...progress.report, pages: progress.report.pages + 1 };
  for (let left = page.unreadable; left > 0; left -= 1) report = withFinding(report, 'unreadable', '');
  for (const { uid, state } of fresh) {
    const { finding, told } = await found(sweep, { uid, state }, ours.get(uid));
    report = withFinding(report, finding, uid, told);
  }
  return report;
}

async function found(
  sweep: Sweep,
  theirs: Theirs,
  ours: Ours | undefined,
): Promise<{ finding: Finding; told?: Told }> {
  const { deps, connectionId, before } = sweep;
  const finding = compare(theirs, ours, connectionId);
  if (finding === 'unknown') {
    if (!deps.sweep.adopts) return { finding: 'unknownHere' };
    await tellToLook(deps, connectionId, theirs.uid);
    await pause(sweep, REQUESTS_PER_LOOK);
    return { finding: 'adopted' };
  }
  if (finding !== 'differing' || ours === undefined) return { finding };
  const difference = differenceOf(theirs, ours, before);
  if (difference.finding === 'unsettled') return difference;
  await tellToLook(deps, connectionId, theirs.uid);
  await pause(sweep, REQUESTS_PER_LOOK);
  return difference;
}

/** As long as so many requests take that a sweep makes, or makes others make: the rest of the budget is not ours. */
const pause = ({ deps }: Sweep, requests: number): Promise<void> =>
  Context.current().sleep(requests * deps.sweep.paceMs);
