// How a snapshot of the provider's resource is settled against the facts. Plain JSON and pure.
import { inOrder } from '../../../domain/facts/fact.js';
import { isFinalIn, isState } from '../../../domain/facts/fold.js';
import { lower } from '../../../domain/attention/flags.js';
import { IDS_KEPT, afterAll, foldedOf, openQuestions, withFlag, withReceived } from './state.js';
import type { Fact, Instant } from '../../../domain/facts/fact.js';
import type { Life } from '../../../domain/facts/fold.js';
import type { ResourceSnapshot } from '../../../domain/facts/snapshot.js';
import type { Followed } from './state.js';

/** How long to wait before the next look-up of what a snapshot did not explain, by how often it did not. */
const NEXT_LOOK_UP_SECONDS = [0, 5, 60, 300, 1800] as const;

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

/** Which states a resource has, and in which nothing more is awaited of it. */
export interface Ends<LifeState extends string> {
  life: Life<LifeState>;
  isFinal: (state: LifeState) => boolean;
}

/**
 * Settles what the facts say against what the snapshot shows. A state further along is taken at once. A disagreement is looked
 * up again, since an answer may be older than what was received meanwhile; and a fact that raised a question stays open until
 * the provider's own history has it, or several snapshots did not explain it.
 */
export function settle<LifeState extends string, State extends Followed<LifeState>>(
  ends: Ends<LifeState>,
  before: State,
  reading: Reading,
  evidence: Evidence,
): State {
  const { life } = ends;
  const { snapshot, fetchedAt } = reading;
  const { state: snapshotState } = snapshot;
  const { state } = foldedOf(life, before);
  const noted: State = { ...before, snapshotState };
  if (isContradicted(ends, snapshotState, state) && isNewerThanFacts(noted, fetchedAt))
    return contradicted(ends, noted, reading, evidence);
  if (snapshotState === state || isBehind(life, snapshotState, state)) return agreed(life, noted, evidence);
  const isFurther =
    isState(life, snapshotState) && !isFinalIn(life, state) && life.rank[snapshotState] > life.rank[state];
  const newest = inOrder(noted.facts).findLast((fact) => isProviders(life, fact));
  const isFresh = newest === undefined || evidence.explains(newest.id);
  if (!isFurther && noted.doubts < (isFresh ? 1 : LAST_DOUBT)) return { ...noted, doubts: noted.doubts + 1 };
  const ours = observed(noted, snapshot, fetchedAt);
  const isJudged = (id: string): boolean => id === ours.id || isCovered(evidence, id);
  const settled = examinedAll(life, withReceived(noted, ours), isJudged);
  if (foldedOf(life, settled).state === snapshotState) return settled;
  return withFlag(settled, 'conflict', fetchedAt, {
    detail: `The facts say ${state}; the provider shows ${snapshotState}.`,
    next: 'Compare the timeline with the provider, and write to the provider if it is wrong there.',
  });
}

interface Reading {
  snapshot: ResourceSnapshot;
  fetchedAt: Instant;
}

const isContradicted = <LifeState extends string>(
  { life, isFinal }: Ends<LifeState>,
  snapshotState: string,
  state: LifeState,
): boolean => isFinal(state) && isState<LifeState>(life, snapshotState) && !isFinal(snapshotState);

/**
 * What was received while it was fetched, it cannot know of: the answer to a submission may come after the end. What seems to have been
 * received long after that was noted by a clock that has been set back since.
 */
const isNewerThanFacts = ({ facts }: Pick<Followed<string>, 'facts'>, fetchedAt: Instant): boolean =>
  facts
    .map(({ receivedAt }) => Date.parse(receivedAt) - Date.parse(fetchedAt))
    .every((laterMs) => laterMs <= 0 || laterMs > CONTRADICTED_MS);

/**
 * It is over here, and not there. In the end the provider's word stands; what it had published itself is for an operator to judge, and what
 * was only our own conclusion is not.
 */
function contradicted<LifeState extends string, State extends Followed<LifeState>>(
  { life }: Ends<LifeState>,
  state: State,
  { snapshot, fetchedAt }: Reading,
  evidence: Evidence,
): State {
  const { contradictedSince = fetchedAt, doubts, facts } = state;
  if (Date.parse(fetchedAt) - Date.parse(contradictedSince) < CONTRADICTED_MS)
    return { ...state, contradictedSince, doubts: Math.min(doubts + 1, LAST_DOUBT) };
  const ours: Fact = { ...observed(state, snapshot, fetchedAt), overrules: true };
  const isJudged = (id: string): boolean => id === ours.id || isCovered(evidence, id);
  const reopened = examinedAll(
    life,
    withReceived({ ...state, contradictedSince: undefined }, ours),
    isJudged,
  );
  const { state: ended, since } = foldedOf(life, state);
  const isOwnWord = facts.some(({ source, publishedAt }) => source === 'command' && publishedAt === since);
  if (isOwnWord || !isFinalIn(life, ended)) return reopened;
  return withFlag<State>({ ...reopened, isContested: true }, 'conflict', fetchedAt, {
    detail: `The provider reported that it is ${ended}, and shows it as ${snapshot.state} since. It is followed as ${snapshot.state}; no payment is taken.`,
    next: 'Ask the provider which is true, then resolve this flag: payments are admitted from then on.',
  });
}

const isCovered = ({ explains, covers }: Evidence, id: string): boolean => explains(id) || covers(id);

/** What the provider published, and not what we noted of our own doing. */
const isProviders = (life: Life<string>, { source, type }: Fact): boolean =>
  source !== 'lookup' && !(source === 'command' && life.still.has(type));

export const LAST_DOUBT = NEXT_LOOK_UP_SECONDS.length - 1;

const isBehind = <LifeState extends string>(
  life: Life<LifeState>,
  snapshotState: string,
  state: LifeState,
): boolean => isState<LifeState>(life, snapshotState) && life.rank[snapshotState] < life.rank[state];

/** Nothing disagrees. What this snapshot explains is closed; the rest is looked up again, for a while. */
function agreed<LifeState extends string, State extends Followed<LifeState>>(
  life: Life<LifeState>,
  state: State,
  evidence: Evidence,
): State {
  const attention = state.isContested === true ? state.attention : lower(state.attention, 'conflict');
  const calm = { ...state, attention, contradictedSince: undefined };
  const open = openQuestions(life, calm);
  const isJudged = (id: string): boolean => isCovered(evidence, id);
  if (open.filter(isJudged).every(evidence.explains) || state.doubts >= LAST_DOUBT)
    return examinedAll(life, calm, isJudged);
  return { ...examined(calm, open.filter(evidence.explains)), doubts: state.doubts + 1 };
}

/** What was received only while the snapshot was fetched stays open, for the next one. */
const examinedAll = <LifeState extends string, State extends Followed<LifeState>>(
  life: Life<LifeState>,
  state: State,
  isJudged: (id: string) => boolean,
): State => ({ ...examined(state, openQuestions(life, state).filter(isJudged)), doubts: 0 });

const examined = <State extends Followed<string>>(state: State, ids: readonly string[]): State => ({
  ...state,
  examined: [...state.examined, ...ids].slice(-IDS_KEPT),
});

/**
 * What a snapshot showed, noted as a fact. It stands right after everything known by then, by the provider's clock and not by
 * ours: a snapshot says more than what was known before it, and nothing against what is published later.
 */
export const observed = (
  state: Pick<Followed<string>, 'facts'>,
  { state: snapshotState, createdAt, causedBy, reason }: ResourceSnapshot,
  fetchedAt: Instant,
): Fact => ({
  id: `lookup/${fetchedAt}/${snapshotState}`,
  type: 'observed',
  state: snapshotState,
  publishedAt: afterAll(state, createdAt ?? fetchedAt),
  receivedAt: fetchedAt,
  source: 'lookup',
  authenticated: true,
  causedBy,
  reason,
});
