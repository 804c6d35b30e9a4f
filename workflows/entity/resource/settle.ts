// How a snapshot of the provider's resource is settled against the facts. Plain JSON and pure.
import { inOrder } from '../../../domain/facts/fact.js';
import { isFinalIn, isState } from '../../../domain/facts/fold.js';
import { lower } from '../../../domain/attention/flags.js';
import { afterAllFacts, foldedOf, openQuestions, raiseFlag, storeFact } from './state.js';
import type { Fact, Instant } from '../../../domain/facts/fact.js';
import type { Lifecycle } from '../../../domain/facts/fold.js';
import type { ResourceSnapshot } from '../../../domain/facts/snapshot.js';
import type { ResourceState } from './state.js';

/** How long to wait before the next look-up of what a snapshot did not explain, by how often it did not. */
const NEXT_LOOK_UP_SECONDS = [0, 5, 60, 300, 1800] as const;

/** @param doubts how many snapshots in a row left a question open. @returns milliseconds. */
export const nextLookUpMs = (doubts: number): number => (NEXT_LOOK_UP_SECONDS[doubts] ?? 0) * 1000;

/** What a snapshot can say of facts. */
export interface Evidence {
  /** Whether it vouches for the fact of that id. */
  explains: (id: string) => boolean;
  /** Whether it can say anything of that fact: not of one that was received only while it was fetched. */
  covers: (id: string) => boolean;
}

/** What is over here and not there is believed to be so once it has been shown for so long: an answer may lag. */
const CONTRADICTED_MS = 120_000;
/** Until then the look-ups come after 0 and 5 seconds, then each minute. */
const MOST_DOUBTS_WHILE_CONTRADICTED = 2;

/** Which states a resource has, and in which nothing more is awaited of it. */
export interface Ends<LifecycleState extends string> {
  lifecycle: Lifecycle<LifecycleState>;
  isFinal: (state: LifecycleState) => boolean;
}

/**
 * Settles what the facts say against what the snapshot shows. A state further along is taken at once. A disagreement is looked
 * up again, since an answer may be older than what was received meanwhile; and a fact that raised a question stays open until
 * the provider's own history has it, or several snapshots did not explain it.
 */
export function settle<LifecycleState extends string, State extends ResourceState<LifecycleState>>(
  ends: Ends<LifecycleState>,
  before: State,
  reading: Reading,
  evidence: Evidence,
): State {
  const { lifecycle } = ends;
  const { snapshot, fetchedAt } = reading;
  const { state: snapshotState } = snapshot;
  const { state } = foldedOf(lifecycle, before);
  const noted: State = { ...before, snapshotState };
  if (contradicts(ends, snapshotState, state) && isNewerThanFacts(noted, fetchedAt))
    return recordContradiction(ends, noted, reading, evidence);
  if (snapshotState === state || isBehind(lifecycle, snapshotState, state))
    return recordMatch(lifecycle, noted, evidence);
  const isFurther =
    isState(lifecycle, snapshotState) &&
    !isFinalIn(lifecycle, state) &&
    lifecycle.rank[snapshotState] > lifecycle.rank[state];
  const newest = inOrder(noted.facts).findLast((fact) => isProviders(lifecycle, fact));
  const isFresh = newest === undefined || evidence.explains(newest.id);
  const isSure = isFurther || lifecycle.isSilent === true;
  if (!isSure && noted.doubts < (isFresh ? 1 : LAST_DOUBT)) return { ...noted, doubts: noted.doubts + 1 };
  const ours = observedFact(noted, snapshot, fetchedAt);
  const isJudged = (id: string): boolean => id === ours.id || isCovered(evidence, id);
  const settled = markAllChecked(lifecycle, storeFact(noted, ours), isJudged);
  if (foldedOf(lifecycle, settled).state === snapshotState) return settled;
  return raiseFlag(settled, 'conflict', fetchedAt, {
    detail: `The facts say ${state}; the provider shows ${snapshotState}.`,
    next: 'Compare the timeline with the provider, and write to the provider if it is wrong there.',
  });
}

interface Reading {
  snapshot: ResourceSnapshot;
  fetchedAt: Instant;
}

/** It is over here, and shown as not over, or as come to another end than one that no event leads out of. */
const contradicts = <LifecycleState extends string>(
  { lifecycle, isFinal }: Ends<LifecycleState>,
  snapshotState: string,
  state: LifecycleState,
): boolean =>
  isFinal(state) &&
  isState<LifecycleState>(lifecycle, snapshotState) &&
  snapshotState !== state &&
  (!isFinal(snapshotState) || isFinalIn(lifecycle, state));

/**
 * What was received while it was fetched, it cannot know of: the answer to a submission may come after the end. What seems to have been
 * received long after that was noted by a clock that has been set back since.
 */
const isNewerThanFacts = ({ facts }: Pick<ResourceState<string>, 'facts'>, fetchedAt: Instant): boolean =>
  facts
    .map(({ receivedAt }) => Date.parse(receivedAt) - Date.parse(fetchedAt))
    .every((laterMs) => laterMs <= 0 || laterMs > CONTRADICTED_MS);

/**
 * It is over here, and the provider shows something else. Of two different ends an operator finds out which is true. Otherwise the provider's
 * word stands in the end; what it had published itself is for an operator to judge, and what was only our own conclusion is not.
 */
function recordContradiction<LifecycleState extends string, State extends ResourceState<LifecycleState>>(
  { lifecycle, isFinal }: Ends<LifecycleState>,
  state: State,
  { snapshot, fetchedAt }: Reading,
  evidence: Evidence,
): State {
  const { contradictedSince = fetchedAt, facts } = state;
  const { state: ended, since } = foldedOf(lifecycle, state);
  const isOtherEnd = isState<LifecycleState>(lifecycle, snapshot.state) && isFinal(snapshot.state);
  const isOwnWord = facts.some(({ source, publishedAt }) => source === 'command' && publishedAt === since);
  const isContested = !isOwnWord && isFinalIn(lifecycle, ended);
  if (Date.parse(fetchedAt) - Date.parse(contradictedSince) < CONTRADICTED_MS) {
    const doubts = Math.min(state.doubts + 1, MOST_DOUBTS_WHILE_CONTRADICTED);
    const waiting: State = { ...state, contradictedSince, doubts };
    // One answer alone may lag.
    if (state.contradictedSince === undefined || !isContested || isOtherEnd) return waiting;
    return raiseFlag(waiting, 'conflict', contradictedSince, {
      detail: `The provider reported that it is ${ended}, and shows it as ${snapshot.state}. It is looked up again each minute.`,
      next: 'Nothing to do yet. After two minutes of such answers it is reopened; if the provider shows the end, this flag goes.',
    });
  }
  if (isOtherEnd) {
    const calm = markAllChecked(lifecycle, { ...state, contradictedSince: undefined }, (id) =>
      isCovered(evidence, id),
    );
    return raiseFlag(calm, 'conflict', contradictedSince, {
      detail: `It is ${ended} here, and the provider shows it as ${snapshot.state}: one of these two ends is wrong. Nothing was changed.`,
      next: 'Ask the provider which is true. If theirs is, correct your own books and resolve this flag; if ours is, have them mend it, and look it up: the flag goes then.',
    });
  }
  const ours: Fact = { ...observedFact(state, snapshot, fetchedAt), overrules: true };
  const isJudged = (id: string): boolean => id === ours.id || isCovered(evidence, id);
  const reopened = markAllChecked(
    lifecycle,
    storeFact({ ...state, contradictedSince: undefined }, ours),
    isJudged,
  );
  if (!isContested) return reopened;
  const attention = lower(reopened.attention, 'conflict');
  return raiseFlag<State>({ ...reopened, attention, isContested }, 'conflict', contradictedSince, {
    detail: `The provider reported that it is ${ended}, and shows it as ${snapshot.state} since. It is followed as ${snapshot.state}; no payment is taken.`,
    next: 'Ask the provider which is true, then resolve this flag: payments are admitted from then on.',
  });
}

const isCovered = ({ explains, covers }: Evidence, id: string): boolean => explains(id) || covers(id);

/** What the provider published, and not what we noted of our own doing. */
const isProviders = (lifecycle: Lifecycle<string>, { source, type }: Fact): boolean =>
  source !== 'lookup' && !(source === 'command' && lifecycle.still.has(type));

export const LAST_DOUBT = NEXT_LOOK_UP_SECONDS.length - 1;

const isBehind = <LifecycleState extends string>(
  lifecycle: Lifecycle<LifecycleState>,
  snapshotState: string,
  state: LifecycleState,
): boolean =>
  isState<LifecycleState>(lifecycle, snapshotState) && lifecycle.rank[snapshotState] < lifecycle.rank[state];

/** Nothing disagrees. What this snapshot explains is closed; the rest is looked up again, for a while. */
function recordMatch<LifecycleState extends string, State extends ResourceState<LifecycleState>>(
  lifecycle: Lifecycle<LifecycleState>,
  state: State,
  evidence: Evidence,
): State {
  const attention = state.isContested === true ? state.attention : lower(state.attention, 'conflict');
  const calm = { ...state, attention, contradictedSince: undefined };
  const open = openQuestions(lifecycle, calm);
  const isJudged = (id: string): boolean => isCovered(evidence, id);
  if (open.filter(isJudged).every(evidence.explains) || state.doubts >= LAST_DOUBT)
    return markAllChecked(lifecycle, calm, isJudged);
  // An answer that is behind is too old to speak against a fact.
  const isCurrent = state.snapshotState === foldedOf(lifecycle, state).state;
  const unexplained = isCurrent
    ? open.filter((id) => isJudged(id) && !evidence.explains(id))
    : state.unexplained;
  return { ...markChecked(calm, open.filter(evidence.explains)), unexplained, doubts: state.doubts + 1 };
}

/** What was received only while the snapshot was fetched stays open, for the next one. */
const markAllChecked = <LifecycleState extends string, State extends ResourceState<LifecycleState>>(
  lifecycle: Lifecycle<LifecycleState>,
  state: State,
  isJudged: (id: string) => boolean,
): State => ({
  ...markChecked(state, openQuestions(lifecycle, state).filter(isJudged)),
  unexplained: undefined,
  doubts: 0,
});

const markChecked = <State extends ResourceState<string>>(state: State, ids: readonly string[]): State => ({
  ...state,
  facts: state.facts.map((fact) => (ids.includes(fact.id) ? { ...fact, isChecked: true } : fact)),
});

/**
 * What a snapshot showed, noted as a fact. It stands right after everything known by then, by the provider's clock and not by
 * ours: a snapshot says more than what was known before it, and nothing against what is published later.
 */
export const observedFact = (
  state: Pick<ResourceState<string>, 'facts'>,
  { state: snapshotState, createdAt, causedBy, reason }: ResourceSnapshot,
  fetchedAt: Instant,
): Fact => ({
  id: `lookup/${fetchedAt}/${snapshotState}`,
  type: 'observed',
  state: snapshotState,
  publishedAt: afterAllFacts(state, createdAt ?? fetchedAt),
  receivedAt: fetchedAt,
  source: 'lookup',
  authenticated: true,
  causedBy,
  reason,
});
