// Judges a snapshot and the stored facts by each other. Plain JSON and pure.
import { inOrder, type Fact, type Instant } from '../../domain/facts/fact.js';
import { isFinalIn, isState, type Lifecycle } from '../../domain/facts/fold.js';
import { lower } from '../../domain/attention/flags.js';
import { afterAllFacts, foldedOf, openQuestions, storeFact, type ResourceState } from './state.js';
import { raiseFlag } from '../engine/flags.js';
import type { ResourceSnapshot } from '../../domain/facts/snapshot.js';

/** Delays before the next look-up, by how many snapshots in a row left a question open. */
const NEXT_LOOK_UP_SECONDS = [0, 5, 60, 300, 1800] as const;

/** The delay before the next look-up, in milliseconds. @param doubts how many snapshots in a row left a question open. */
export const nextLookUpMs = (doubts: number): number => (NEXT_LOOK_UP_SECONDS[doubts] ?? 0) * 1000;

/** What a snapshot can tell about facts, by id. */
export interface Evidence {
  /** Whether it confirms the fact. */
  explains: (id: string) => boolean;
  /** Whether it can judge the fact. False for a fact received while it was fetched. */
  covers: (id: string) => boolean;
}

/** If we consider a resource ended, how long the provider must report otherwise before we believe it. An answer may lag. */
const CONTRADICTED_MS = 120_000;
/** During that time, look-ups follow after 0 and 5 seconds, then every minute. */
const MOST_DOUBTS_WHILE_CONTRADICTED = 2;

/** The states of a resource, and which of them are final. */
export interface Ends {
  lifecycle: Lifecycle<string>;
  isFinal(this: void, state: string): boolean;
}

/**
 * Judges a snapshot and the stored facts by each other. A state further along is accepted at once. A disagreement is looked up again, because the answer may be
 * older than the latest facts. A fact stays open until the provider's history contains it, or several snapshots did not explain it.
 */
export function judgeSnapshot<State extends ResourceState>(
  ends: Ends,
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
    return applyContradiction(ends, noted, reading, evidence);
  if (snapshotState === state || isBehind(lifecycle, snapshotState, state))
    return applyMatch(lifecycle, noted, evidence);
  const isFurther =
    isState(lifecycle, snapshotState) &&
    !isFinalIn(lifecycle, state) &&
    rankOf(lifecycle, snapshotState) > rankOf(lifecycle, state);
  const newest = inOrder(noted.facts).findLast((fact) => isProviders(lifecycle, fact));
  const isFresh = newest === undefined || evidence.explains(newest.id);
  if (!isFurther && noted.doubts < (isFresh ? 1 : LAST_DOUBT)) return { ...noted, doubts: noted.doubts + 1 };
  const ours = observedFact(noted, snapshot, fetchedAt);
  const isJudged = (id: string): boolean => id === ours.id || isCovered(evidence, id);
  const settled = markAllChecked(lifecycle, storeFact(noted, ours), isJudged);
  if (foldedOf(lifecycle, settled).state === snapshotState) return settled;
  return raiseFlag(settled, 'conflict', fetchedAt, {
    detail: `The stored facts lead to ${state}, but the provider shows ${snapshotState}.`,
    next: 'Compare the timeline with the provider. If the provider is wrong, report it to them.',
  });
}

interface Reading {
  snapshot: ResourceSnapshot;
  fetchedAt: Instant;
}

/** The snapshot contradicts our end: it shows an active state, or another end although no event leads out of ours. */
const contradicts = ({ lifecycle, isFinal }: Ends, snapshotState: string, state: string): boolean =>
  isFinal(state) &&
  isState(lifecycle, snapshotState) &&
  snapshotState !== state &&
  (!isFinal(snapshotState) || isFinalIn(lifecycle, state));

/**
 * False if a fact was received while the snapshot was fetched, because the snapshot cannot know it: the answer to a submission may arrive after the
 * end. Facts received much later than the snapshot are ignored, because they come from a clock that has been set back since.
 */
const isNewerThanFacts = ({ facts }: Pick<ResourceState, 'facts'>, fetchedAt: Instant): boolean =>
  facts
    .map(({ receivedAt }) => Date.parse(receivedAt) - Date.parse(fetchedAt))
    .every((laterMs) => laterMs <= 0 || laterMs > CONTRADICTED_MS);

/**
 * We consider it ended, and the provider shows another state. If both are ends, an operator finds out which is right. Otherwise the provider's
 * answer wins in time. If the provider itself published our end, an operator must judge. If the end was our own conclusion, no flag is raised.
 */
function applyContradiction<State extends ResourceState>(
  { lifecycle, isFinal }: Ends,
  state: State,
  { snapshot, fetchedAt }: Reading,
  evidence: Evidence,
): State {
  const { contradictedSince = fetchedAt } = state;
  const { state: ended, sinceSource } = foldedOf(lifecycle, state);
  const isOtherEnd = isState(lifecycle, snapshot.state) && isFinal(snapshot.state);
  const isContested = sinceSource !== 'command' && isFinalIn(lifecycle, ended);
  if (Date.parse(fetchedAt) - Date.parse(contradictedSince) < CONTRADICTED_MS) {
    const doubts = Math.min(state.doubts + 1, MOST_DOUBTS_WHILE_CONTRADICTED);
    const waiting: State = { ...state, contradictedSince, doubts };
    // A single answer may lag.
    if (state.contradictedSince === undefined || !isContested || isOtherEnd) return waiting;
    return raiseFlag(waiting, 'conflict', contradictedSince, {
      detail: `The provider reported the end state ${ended}, but now shows ${snapshot.state}. We look it up every minute.`,
      next: 'Nothing to do yet. After two minutes of such answers we reopen it. If the provider shows the end again, we lower this flag.',
    });
  }
  if (isOtherEnd) {
    const calm = markAllChecked(lifecycle, { ...state, contradictedSince: undefined }, (id) =>
      isCovered(evidence, id),
    );
    return raiseFlag(calm, 'conflict', contradictedSince, {
      detail: `We recorded the end state ${ended}, but the provider shows ${snapshot.state}. One of them is wrong. Nothing was changed.`,
      next: 'Ask the provider which is right. If theirs is, correct your own books and resolve this flag. If ours is, have them correct it, then request a look-up, which lowers the flag.',
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
    detail: `The provider reported the end state ${ended}, but has shown ${snapshot.state} since. We follow it as ${snapshot.state} and take no payment.`,
    next: 'Ask the provider which is right, then resolve this flag. From then on, payments are admitted again.',
  });
}

const isCovered = ({ explains, covers }: Evidence, id: string): boolean => explains(id) || covers(id);

/** Whether the provider published the fact. False for snapshots and for our own records. */
const isProviders = (lifecycle: Lifecycle<string>, { source, type }: Fact): boolean =>
  source !== 'lookup' && !(source === 'command' && lifecycle.still.has(type));

export const LAST_DOUBT = NEXT_LOOK_UP_SECONDS.length - 1;

const rankOf = ({ rank }: Lifecycle<string>, state: string): number => rank[state] ?? 0;

const isBehind = (lifecycle: Lifecycle<string>, snapshotState: string, state: string): boolean =>
  isState(lifecycle, snapshotState) && rankOf(lifecycle, snapshotState) < rankOf(lifecycle, state);

/** Nothing disagrees. Questions that this snapshot explains are closed. The others are looked up again, a limited number of times. */
function applyMatch<State extends ResourceState>(
  lifecycle: Lifecycle<string>,
  state: State,
  evidence: Evidence,
): State {
  const attention = state.isContested === true ? state.attention : lower(state.attention, 'conflict');
  const calm = { ...state, attention, contradictedSince: undefined };
  const open = openQuestions(lifecycle, calm);
  const isJudged = (id: string): boolean => isCovered(evidence, id);
  if (open.filter(isJudged).every(evidence.explains) || state.doubts >= LAST_DOUBT)
    return markAllChecked(lifecycle, calm, isJudged);
  // An answer that lags behind cannot contradict a fact.
  const isCurrent = state.snapshotState === foldedOf(lifecycle, state).state;
  const unexplained = isCurrent
    ? open.filter((id) => isJudged(id) && !evidence.explains(id))
    : state.unexplained;
  return { ...markChecked(calm, open.filter(evidence.explains)), unexplained, doubts: state.doubts + 1 };
}

/** Closes all open questions, except facts received while the snapshot was fetched. The next snapshot judges those. */
const markAllChecked = <State extends ResourceState>(
  lifecycle: Lifecycle<string>,
  state: State,
  isJudged: (id: string) => boolean,
): State => ({
  ...markChecked(state, openQuestions(lifecycle, state).filter(isJudged)),
  unexplained: undefined,
  doubts: 0,
});

/** Closes these questions. */
export const markChecked = <State extends ResourceState>(state: State, ids: readonly string[]): State => ({
  ...state,
  facts: state.facts.map((fact) => (ids.includes(fact.id) ? { ...fact, isChecked: true } : fact)),
});

/**
 * The fact that records a snapshot. It sorts right after all known facts, by the provider's clock: it overrides those, and not later events.
 * That is only its place. When the state began is unknown, so its time is that of the look-up (`happenedAt`).
 */
export const observedFact = (
  state: Pick<ResourceState, 'facts'>,
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
