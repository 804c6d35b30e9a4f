// A sweep: compares the provider's lists with ours, and reports the differences. Pure.
import { MISSING_STATE } from '../facts/snapshot.js';
import { isUid } from '../provider/uid.js';
import type { Instant } from '../facts/fact.js';

/** The provider's states by kind, for a sweep. */
export interface Compared {
  live: readonly string[];
  over: readonly string[];
  /** If our open workflow is in one of these states, the provider must have the resource. If no list shows it, the sweep looks it up. */
  existing: readonly string[];
  /** Whether a difference between the two states matters to a sweep. */
  differs: (here: string, there: string) => boolean;
}

/** A resource in the provider's list. We may not know its state. */
export interface Listed {
  uid: string;
  state: string;
}

/** The same resource in our records. */
export interface Tracked {
  uid: string;
  /** `unknown` if the provider did not know it for a whole day. */
  state: string;
  /** Whether its workflow runs. */
  isOpen: boolean;
  connectionId?: string | undefined;
}

/** The result for one listed resource. Each has exactly one. */
export const FINDINGS = [
  'equal', // Both sides agree.
  'differing', // The states differ; the workflow was signalled to look it up.
  'unsettled', // The same difference persists after repeated signals, so we stop signalling.
  'adopted', // It was unknown here, and a workflow was started.
  'unknownHere', // It is unknown here, and no workflow was started.
  'over', // It is unknown here, and it has ended, so there is nothing to follow.
  'elsewhere', // This uid belongs to another connection here.
  'dropped', // Our workflow was terminated, but the resource is still live at the provider.
  'unreadable', // It has no valid uid or state.
] as const;
export type Finding = (typeof FINDINGS)[number];

/** The findings whose uids an operator may want to see. */
export const NAMED = [
  'differing',
  'unsettled',
  'adopted',
  'unknownHere',
  'elsewhere',
  'dropped',
] as const satisfies readonly Finding[];
type NamedFinding = (typeof NAMED)[number];

/** A difference for which we signalled a workflow, and in how many sweeps in a row. */
export interface Difference {
  uid: string;
  here: string;
  there: string;
  times: number;
}

/** The result of a sweep of one kind of resource. `listed` is the sum of all findings. */
export interface SweepReport extends Readonly<Record<Finding, number>> {
  connectionId: string;
  startedAt: Instant;
  endedAt?: Instant | undefined;
  /** Pages read. With `requested` it is the number of requests that the sweep made. */
  pages: number;
  /** Look-ups of resources that are open here and that no page showed. */
  requested: number;
  listed: number;
  /**
   * Resources that are open here but missing at the provider. Absent if unknown: the sweep stopped early, or it was interrupted
   * repeatedly while more than five thousand were still to be checked.
   */
  missingThere?: number | undefined;
  /** At most 100 uids of each kind. */
  named: Readonly<Partial<Record<NamedFinding | 'missingThere', readonly string[]>>>;
  /** For the next sweep, so that it does not repeat useless signals. */
  differences: readonly Difference[];
  /** The code of the error that stopped the sweep early. */
  stopped?: string | undefined;
}

const NAMED_AT_MOST = 100;
/** The most differences that the next sweep remembers. For others it signals the workflow again. */
const REMEMBERED = 1000;
/** One look-up normally settles a difference. The second and third cover look-ups that read an older state. */
const SIGNALLED_AT_MOST = 3;

const WORD = /^[a-z][a-z_]{0,39}$/;

/** Whether both values are safe in a query, an id and a report. */
export const isReadable = ({ uid, state }: Listed): boolean =>
  isUid(uid) && WORD.test(state) && state !== MISSING_STATE;

type Comparison = Exclude<Finding, 'adopted' | 'unknownHere' | 'unsettled'> | 'unknown';

/**
 * Compares a listed resource with ours. An ended run that differs is signalled like an open one, which reopens it. A resource that is
 * unknown here and has ended at the provider is ignored: there is nothing to follow.
 * @param tracked absent if it is unknown here. Without a connection it is still looking for its connection.
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
  if (differs(tracked.state, listed.state)) return 'differing';
  return tracked.isOpen || isOverThere ? 'equal' : 'dropped';
}

/** The finding for a listed resource, and whether its workflow is signalled. */
export interface Judged {
  finding: Finding;
  isSignalled: boolean;
  /** Remembered for the next sweep if the two sides differ. */
  difference?: Difference;
}

/**
 * @param before differences from the previous sweep.
 * @param adopts whether an unknown resource gets a workflow.
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
 * The finding for a difference, and the record for the next sweep.
 * @param before differences from the previous sweep.
 */
export function differenceOf(
  listed: Listed,
  tracked: Tracked,
  before: ReadonlyMap<string, Difference>,
): { finding: 'differing' | 'unsettled'; difference: Difference } {
  const difference = { uid: listed.uid, here: tracked.state, there: listed.state };
  const times = timesOf(difference, before);
  return times < SIGNALLED_AT_MOST
    ? { finding: 'differing', difference: { ...difference, times: times + 1 } }
    : { finding: 'unsettled', difference: { ...difference, times } };
}

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

/** Adds one finding to the report. @param difference stored for the next sweep. */
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

/** Adds a resource that is open here but missing at the provider. */
export const addMissing = (report: SweepReport, uid: string): SweepReport =>
  named({ ...report, missingThere: (report.missingThere ?? 0) + 1 }, 'missingThere', [uid]);

/** The report of a sweep that has checked all our resources. */
export const markComplete = (report: SweepReport): SweepReport => ({
  ...report,
  missingThere: report.missingThere ?? 0,
});

/** The report of a sweep that stopped early. Unchecked resources may well be at the provider. */
export const markStopped = (
  { missingThere: _some, ...report }: SweepReport,
  stopped: string,
): SweepReport => ({
  ...report,
  stopped,
});

/** The differences in an earlier sweep's report on a resource; empty if there is none or it is not from a sweep. */
export function differencesIn(result: unknown, resource: string): readonly Difference[] {
  const found = ['reports', resource, 'differences'].reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    result,
  );
  return Array.isArray(found) ? found.filter(isDifference) : [];
}

const isDifference = (one: unknown): one is Difference =>
  typeof one === 'object' &&
  one !== null &&
  ['uid', 'here', 'there'].every((key) => typeof Reflect.get(one, key) === 'string') &&
  typeof Reflect.get(one, 'times') === 'number';
