// One sweep: what the provider's list shows against what our own lists show, and the report that adds it up. Pure.
import { AGREEMENT_LIFE, isFinal } from './agreement.js';
import { isState } from './fold.js';
import { isUid } from './uid.js';
import type { Instant } from './fact.js';

/** An agreement in the provider's list. The state is the provider's word, perhaps one that we do not know. */
export interface Theirs {
  uid: string;
  state: string;
}

/** The newest run of an agreement here, as our lists show it. */
export interface Ours {
  uid: string;
  /** `unknown` where the provider did not know it in a whole day; absent while a run has not found out yet. */
  state?: string | undefined;
  isOpen: boolean;
  connectionId?: string | undefined;
}

/** What became of an agreement that the provider's list shows. Each is one of these and no other. */
export const FINDINGS = [
  'equal', // the same there and here, or here a run that has not found out yet and looks by itself
  'differing', // told to look
  'unsettled', // differs in the way it was told of before, so often that telling is no use
  'adopted', // nobody here had heard of it: a run has been started
  'unknownHere', // nobody here has heard of it, and that is how it stays
  'over', // nobody here has heard of it (or has no longer), and there is nothing left to carry
  'elsewhere', // this uid is another connection's here
  'dropped', // its run here was ended by force, and at the provider it lives on
  'unreadable', // no uid, or no word for a state
] as const;
export type Finding = (typeof FINDINGS)[number];

/** Those of which an operator may want to know which they are. */
export const NAMED = ['differing', 'unsettled', 'adopted', 'unknownHere', 'elsewhere', 'dropped'] as const;
type NamedFinding = (typeof NAMED)[number];

/** A difference that an agreement was told of, and in how many sweeps in a row. */
export interface Told {
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
  /** For the next sweep, which tells nobody for ever of a difference that telling does not settle. */
  told: readonly Told[];
  /** Why it did not reach the end: the code of what stood in its way. */
  stopped?: string | undefined;
}

const NAMED_AT_MOST = 100;
/** So many differences are remembered from one sweep to the next; of any beyond an agreement is told again. */
const REMEMBERED = 1000;
/** One look settles a difference; a second and third are for looks that met an older reading. */
const TOLD_AT_MOST = 3;

const WORD = /^[a-z][a-z_]{0,39}$/;
/** What the provider's client puts where a list names no state. */
const UNSAID = 'unknown';

/** Whether both can be trusted in a query, an id and a report. */
export const isReadable = ({ uid, state }: Theirs): boolean =>
  isUid(uid) && WORD.test(state) && state !== UNSAID;

type Comparison = Exclude<Finding, 'adopted' | 'unknownHere' | 'unsettled'> | 'unknown';

/**
 * What one agreement of the provider's list is to us. A run that is over and differs is told like one that is open: it is
 * taken up again. What nobody here knows and is over there is left alone, since our own ended runs are forgotten too.
 * @param ours absent where nobody here has heard of it; runs without a connection are still looking for theirs.
 */
export function compare(theirs: Theirs, ours: Ours | undefined, connectionId: string): Comparison {
  if (!isReadable(theirs)) return 'unreadable';
  const isOverThere = isState(AGREEMENT_LIFE, theirs.state) && isFinal(theirs.state);
  if (ours === undefined) return isOverThere ? 'over' : 'unknown';
  if (ours.connectionId !== undefined && ours.connectionId !== connectionId) return 'elsewhere';
  if (ours.isOpen && ours.state === undefined) return 'equal';
  if (ours.state !== theirs.state) return 'differing';
  return ours.isOpen || isOverThere ? 'equal' : 'dropped';
}

/**
 * What to do about a difference, and what the next sweep should remember of it.
 * @param before what the sweep before this one remembered.
 */
export function differenceOf(
  theirs: Theirs,
  ours: Ours,
  before: ReadonlyMap<string, Told>,
): { finding: 'differing' | 'unsettled'; told: Told } {
  const difference = { uid: theirs.uid, here: ours.state ?? NO_STATE, there: theirs.state };
  const times = timesOf(difference, before);
  return times < TOLD_AT_MOST
    ? { finding: 'differing', told: { ...difference, times: times + 1 } }
    : { finding: 'unsettled', told: { ...difference, times } };
}

const NO_STATE = 'none';

function timesOf({ uid, here, there }: Omit<Told, 'times'>, before: ReadonlyMap<string, Told>): number {
  const known = before.get(uid);
  return known?.here === here && known.there === there ? known.times : 0;
}

export const newReport = (connectionId: string, startedAt: Instant): SweepReport => ({
  connectionId, startedAt, pages: 0, seen: 0, equal: 0, differing: 0, unsettled: 0, adopted: 0, unknownHere: 0, over: 0,
  elsewhere: 0, dropped: 0, unreadable: 0, named: {}, told: [],
}); // prettier-ignore

/** The report with one agreement more. @param told what is remembered of a difference, if it is one. */
export function withFinding(report: SweepReport, finding: Finding, uid: string, told?: Told): SweepReport {
  const counted = { ...report, seen: report.seen + 1, [finding]: report[finding] + 1 };
  const isRemembered = told !== undefined && report.told.length < REMEMBERED;
  const known = isRemembered ? { ...counted, told: [...report.told, told] } : counted;
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
export function toldIn(result: unknown): readonly Told[] {
  const told: unknown =
    typeof result === 'object' && result !== null ? Reflect.get(result, 'told') : undefined;
  return Array.isArray(told) ? told.filter(isTold) : [];
}

const isTold = (one: unknown): one is Told =>
  typeof one === 'object' &&
  one !== null &&
  ['uid', 'here', 'there'].every((key) => typeof Reflect.get(one, key) === 'string') &&
  typeof Reflect.get(one, 'times') === 'number';
