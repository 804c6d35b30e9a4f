// One sweep: what the provider's list shows against what our own lists show, and the report that adds it up. Pure.
import { AGREEMENT_LIFE, isFinal } from './agreement.js';
import { isState } from './fold.js';
import { UNSAID_STATE } from './snapshot.js';
import { isUid } from './uid.js';
import type { Instant } from './fact.js';

/** An agreement in the provider's list. The state is the provider's word, perhaps one that we do not know. */
export interface Listed {
  uid: string;
  state: string;
}

/** The newest run of an agreement here, as our lists show it. */
export interface Tracked {
  uid: string;
  /** `unknown` where the provider did not know it in a whole day; absent while a run has not found out yet. */
  state?: string | undefined;
  isOpen: boolean;
  connectionId?: string | undefined;
}

/** What became of an agreement that the provider's list shows. Each is one of these and no other. */
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

/** A difference for which an agreement was signalled, and in how many sweeps in a row. */
export interface Difference {
  uid: string;
  here: string;
  there: string;
  times: number;
}

/** What a sweep leaves as its result. `seen` is the sum of all findings. */
export interface SweepReport extends Readonly<Record<Finding, number>> {
  connectionId: string;
  startedAt: Instant;
  endedAt?: Instant | undefined;
  /** How many pages were read: what the sweep itself cost in requests. */
  pages: number;
  seen: number;
  /**
   * Agreements that are open here and were not in the list. Absent where that is not known: the sweep did not reach the
   * end, or was taken up in the middle when more than five thousand had still to be met.
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
/** So many differences are remembered from one sweep to the next; for any beyond the agreement is signalled again. */
const REMEMBERED = 1000;
/** One look-up settles a difference; a second and third are for those that met an older reading. */
const SIGNALLED_AT_MOST = 3;

const WORD = /^[a-z][a-z_]{0,39}$/;

/** Whether both can be trusted in a query, an id and a report. */
export const isReadable = ({ uid, state }: Listed): boolean =>
  isUid(uid) && WORD.test(state) && state !== UNSAID_STATE;

type Comparison = Exclude<Finding, 'adopted' | 'unknownHere' | 'unsettled'> | 'unknown';

/**
 * What one agreement of the provider's list is to us. A run that is over and differs is signalled like one that is open: it
 * is taken up again. What is unknown here and over there is left alone, since our own ended runs are forgotten too.
 * @param tracked absent where it is unknown here; runs without a connection are still looking for theirs.
 */
export function compare(listed: Listed, tracked: Tracked | undefined, connectionId: string): Comparison {
  if (!isReadable(listed)) return 'unreadable';
  const isOverThere = isState(AGREEMENT_LIFE, listed.state) && isFinal(listed.state);
  if (tracked === undefined) return isOverThere ? 'over' : 'unknown';
  if (tracked.connectionId !== undefined && tracked.connectionId !== connectionId) return 'elsewhere';
  if (tracked.isOpen && tracked.state === undefined) return 'equal';
  if (tracked.state !== listed.state) return 'differing';
  return tracked.isOpen || isOverThere ? 'equal' : 'dropped';
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
  const known = before.get(uid);
  return known?.here === here && known.there === there ? known.times : 0;
}

export const newReport = (connectionId: string, startedAt: Instant): SweepReport => ({
  connectionId,
  startedAt,
  pages: 0,
  seen: 0,
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

/** The report with one agreement more. @param difference what is kept for the next sweep, if it is one. */
export function withFinding(
  report: SweepReport,
  finding: Finding,
  uid: string,
  difference?: Difference,
): SweepReport {
  const counted = { ...report, seen: report.seen + 1, [finding]: report[finding] + 1 };
  const isKept = difference !== undefined && report.differences.length < REMEMBERED;
  const known = isKept ? { ...counted, differences: [...report.differences, difference] } : counted;
  return isNamed(finding) ? named(known, finding, [uid]) : known;
}

const isNamed = (finding: Finding): finding is NamedFinding => NAMED.some((one) => one === finding);

function named(report: SweepReport, kind: keyof SweepReport['named'], uids: readonly string[]): SweepReport {
  const all = [...(report.named[kind] ?? []), ...uids].slice(0, NAMED_AT_MOST);
  return { ...report, named: { ...report.named, [kind]: all } };
}

/** The report of a sweep that has read the whole list and knows which of ours it did not show. */
export const withMissing = (report: SweepReport, uids: readonly string[]): SweepReport =>
  named({ ...report, missingThere: uids.length }, 'missingThere', uids);

/** What an earlier sweep remembered, from its result; nothing where there is none, or it is none of ours. */
export function differencesIn(result: unknown): readonly Difference[] {
  const found: unknown =
    typeof result === 'object' && result !== null ? Reflect.get(result, 'differences') : undefined;
  return Array.isArray(found) ? found.filter(isDifference) : [];
}

const isDifference = (one: unknown): one is Difference =>
  typeof one === 'object' &&
  one !== null &&
  ['uid', 'here', 'there'].every((key) => typeof Reflect.get(one, key) === 'string') &&
  typeof Reflect.get(one, 'times') === 'number';
