// One sweep: what the provider's lists show against what our own lists show, and the report that adds it up. Pure.
import { MISSING_STATE } from './snapshot.js';
import { isUid } from '../provider/uid.js';
import type { AgreementLifecycleState } from '../agreement/events.js';
import type { Instant } from './fact.js';
import type { PaymentLifecycleState } from '../payment/lifecycle.js';

/** Which of the provider's states are over, and what of ours a sweep asks for one by one where no list shows it. */
export interface Compared {
  live: readonly string[];
  over: readonly string[];
  /** Open here in one of these, it has to be at the provider. */
  existing: readonly string[];
  /** Whether a sweep minds that they differ. */
  differs: (here: string | undefined, there: string) => boolean;
}

export const AGREEMENTS: Compared = {
  live: ['pending', 'created', 'active', 'suspended'] satisfies AgreementLifecycleState[],
  over: ['declined', 'expired', 'cancelled', 'failed'] satisfies AgreementLifecycleState[],
  existing: ['created', 'active', 'suspended'] satisfies AgreementLifecycleState[],
  differs: (here, there) => here !== there,
};

const PAYMENT_UNDER_WAY = [
  'created',
  'submitting',
  'pending',
  'under_investigation',
] as const satisfies PaymentLifecycleState[];

export const PAYMENTS: Compared = {
  live: PAYMENT_UNDER_WAY,
  over: ['settled', 'failed'] satisfies PaymentLifecycleState[],
  existing: PAYMENT_UNDER_WAY,
  // One that is under way here and there is asked for by its own workflow, sooner than any sweep comes.
  differs: (here, there) => here !== there && !(isUnderWay(here) && isUnderWay(there)),
};

const isUnderWay = (state: string | undefined): boolean =>
  state === 'requested' || state === 'retrying' || PAYMENT_UNDER_WAY.some((one) => one === state);

/** An agreement or payment in the provider's list. The state is the provider's word, perhaps one that we do not know. */
export interface Listed {
  uid: string;
  state: string;
}

/** Its newest run here, as our lists show it. */
export interface Tracked {
  uid: string;
  /** `unknown` where the provider did not know it in a whole day; absent while a run has not found out yet. */
  state?: string | undefined;
  isOpen: boolean;
  connectionId?: string | undefined;
}

/** What became of one that the provider shows. Each is one of these and no other. */
export const FINDINGS = [
  'equal', // the same there and here, or here a run that has not found out yet and looks itself up
  'differing', // signalled to look itself up
  'unsettled', // differs as it did before, so often that another signal is no use
  'adopted', // it was unknown here: a run has been started
  'unknownHere', // it is unknown here, and stays so
  'over', // it is unknown here (or is by now), and there is nothing left to carry
  'elsewhere', // this uid is another connection's here
  'dropped', // its run here was ended by force, and at the provider it lives on
  'unreadable', // no uid, or no word for a state
] as const;
export type Finding = (typeof FINDINGS)[number];

/** Those of which an operator may want to know which they are. */
export const NAMED = [
  'differing',
  'unsettled',
  'adopted',
  'unknownHere',
  'elsewhere',
  'dropped',
] as const satisfies readonly Finding[];
type NamedFinding = (typeof NAMED)[number];

/** A difference for which a workflow was signalled, and in how many sweeps in a row. */
export interface Difference {
  uid: string;
  here: string;
  there: string;
  times: number;
}

/** What a sweep of agreements, or of payments, leaves. `seen` is the sum of all findings. */
export interface SweepReport extends Readonly<Record<Finding, number>> {
  connectionId: string;
  startedAt: Instant;
  endedAt?: Instant | undefined;
  /** How many pages were read. With `asked` it is what the sweep itself cost in requests. */
  pages: number;
  /** How many were asked for one by one: they are open here, and no page showed them. */
  requested: number;
  listed: number;
  /**
   * Those that are open here and that the provider does not have. Absent where that is not known: the sweep did not reach the
   * end, or was broken off again and again while more than five thousand had still to be met.
   */
  missingThere?: number | undefined;
  /** The uids of the first hundred of each kind. */
  named: Readonly<Partial<Record<NamedFinding | 'missingThere', readonly string[]>>>;
  /** For the next sweep, which does not signal for ever what signals do not settle. */
  differences: readonly Difference[];
  /** Why it did not reach the end: the code of what stood in its way. */
  stopped?: string | undefined;
}

const NAMED_AT_MOST = 100;
/** So many differences are remembered from one sweep to the next; for any beyond the workflow is signalled again. */
const REMEMBERED = 1000;
/** One look-up settles a difference; a second and third are for those that met an older reading. */
const SIGNALLED_AT_MOST = 3;

const WORD = /^[a-z][a-z_]{0,39}$/;

/** Whether both can be trusted in a query, an id and a report. */
export const isReadable = ({ uid, state }: Listed): boolean =>
  isUid(uid) && WORD.test(state) && state !== MISSING_STATE;

type Comparison = Exclude<Finding, 'adopted' | 'unknownHere' | 'unsettled'> | 'unknown';

/**
 * What one of those that the provider shows is to us. A run that is over and differs is signalled like one that is open: it
 * is reopened. What is unknown here and over there is left alone, since our own ended runs are forgotten too.
 * @param tracked absent where it is unknown here; runs without a connection are still looking for theirs.
 */
export function compare(
  { over, differs }: Compared,
  listed: Listed,
  tracked: Tracked | undefined,
  connectionId: string,
): Comparison {
  if (!isReadable(listed)) return 'unreadable';
  const isOverThere = over.includes(listed.state);
  if (tracked === undefined) return isOverThere ? 'over' : 'unknown';
  if (tracked.connectionId !== undefined && tracked.connectionId !== connectionId) return 'elsewhere';
  if (tracked.isOpen && tracked.state === undefined) return 'equal';
  if (differs(tracked.state, listed.state)) return 'differing';
  return tracked.isOpen || isOverThere ? 'equal' : 'dropped';
}

/** What a sweep makes of one that the provider shows, and whether a workflow is signalled for it. */
export interface Judged {
  finding: Finding;
  isSignalled: boolean;
  /** For the next sweep, where they differ. */
  difference?: Difference;
}

/**
 * @param before what the sweep before this one remembered.
 * @param adopts whether one that is unknown here gets a workflow.
 */
export function judge(
  compared: Compared,
  listed: Listed,
  tracked: Tracked | undefined,
  { connectionId, before, adopts }: Judging,
): Judged {
  const finding = compare(compared, listed, tracked, connectionId);
  if (finding === 'unknown')
    return adopts
      ? { finding: 'adopted', isSignalled: true }
      : { finding: 'unknownHere', isSignalled: false };
  if (finding !== 'differing' || tracked === undefined) return { finding, isSignalled: false };
  const different = differenceOf(listed, tracked, before);
  return { ...different, isSignalled: different.finding === 'differing' };
}

interface Judging {
  connectionId: string;
  before: ReadonlyMap<string, Difference>;
  adopts: boolean;
}

/**
 * What to do about a difference, and what the next sweep should remember of it.
 * @param before what the sweep before this one remembered.
 */
export function differenceOf(
  listed: Listed,
  tracked: Tracked,
  before: ReadonlyMap<string, Difference>,
): { finding: 'differing' | 'unsettled'; difference: Difference } {
  const difference = { uid: listed.uid, here: tracked.state ?? NO_STATE, there: listed.state };
  const times = timesOf(difference, before);
  return times < SIGNALLED_AT_MOST
    ? { finding: 'differing', difference: { ...difference, times: times + 1 } }
    : { finding: 'unsettled', difference: { ...difference, times } };
}

const NO_STATE = 'none';

function timesOf(
  { uid, here, there }: Omit<Difference, 'times'>,
  before: ReadonlyMap<string, Difference>,
): number {
  const previous = before.get(uid);
  return previous?.here === here && previous.there === there ? previous.times : 0;
}

export const newReport = (connectionId: string, startedAt: Instant): SweepReport => ({
  connectionId,
  startedAt,
  pages: 0,
  requested: 0,
  listed: 0,
  equal: 0,
  differing: 0,
  unsettled: 0,
  adopted: 0,
  unknownHere: 0,
  over: 0,
  elsewhere: 0,
  dropped: 0,
  unreadable: 0,
  named: {},
  differences: [],
});

/** The report with one more. @param difference what is kept for the next sweep, if it is one. */
export function addFinding(
  report: SweepReport,
  finding: Finding,
  uid: string,
  difference?: Difference,
): SweepReport {
  const counted = { ...report, listed: report.listed + 1, [finding]: report[finding] + 1 };
  const isStored = difference !== undefined && report.differences.length < REMEMBERED;
  const extended = isStored ? { ...counted, differences: [...report.differences, difference] } : counted;
  return isNamed(finding) ? named(extended, finding, [uid]) : extended;
}

const isNamed = (finding: Finding): finding is NamedFinding => NAMED.some((one) => one === finding);

function named(report: SweepReport, kind: keyof SweepReport['named'], uids: readonly string[]): SweepReport {
  const all = [...(report.named[kind] ?? []), ...uids].slice(0, NAMED_AT_MOST);
  return { ...report, named: { ...report.named, [kind]: all } };
}

/** The report with one more that is open here and that the provider does not have. */
export const addMissing = (report: SweepReport, uid: string): SweepReport =>
  named({ ...report, missingThere: (report.missingThere ?? 0) + 1 }, 'missingThere', [uid]);

/** The report of a sweep that has met all of ours, or asked for them. */
export const markComplete = (report: SweepReport): SweepReport => ({
  ...report,
  missingThere: report.missingThere ?? 0,
});

/** The report of a sweep that something stopped: what it has not met may well be there. */
export const markStopped = (
  { missingThere: _some, ...report }: SweepReport,
  stopped: string,
): SweepReport => ({
  ...report,
  stopped,
});

/** What an earlier sweep remembered, from its report; nothing where there is none, or it is none of ours. */
export function differencesIn(result: unknown): readonly Difference[] {
  const found: unknown =
    typeof result === 'object' && result !== null ? Reflect.get(result, 'differences') : undefined;
  return Array.isArray(found) ? found.filter(isDifference) : [];
}

/** What an earlier sweep found of payments, from its result. */
export const paymentsIn = (result: unknown): unknown =>
  typeof result === 'object' && result !== null ? Reflect.get(result, 'payments') : undefined;

const isDifference = (one: unknown): one is Difference =>
  typeof one === 'object' &&
  one !== null &&
  ['uid', 'here', 'there'].every((key) => typeof Reflect.get(one, key) === 'string') &&
  typeof Reflect.get(one, 'times') === 'number';
