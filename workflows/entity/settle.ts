// How a snapshot of the provider's resource is settled against the facts. Plain JSON and pure.
import { inOrder } from '../../domain/fact.js';
import { isFinalIn, isState } from '../../domain/fold.js';
import { lower } from '../../domain/legible.js';
import { IDS_KEPT, afterAll, foldedOf, openQuestions, withFlag, withReceived } from './state.js';
import type { Fact, Instant } from '../../domain/fact.js';
import type { Life } from '../../domain/fold.js';
import type { ResourceSnapshot } from '../../domain/snapshot.js';
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

/**
 * Settles what the facts say against what the snapshot shows. A state further along is taken at once. A disagreement is looked
 * up again, since an answer may be older than what was received meanwhile; and a fact that raised a question stays open until
 * the provider's own history has it, or several snapshots did not explain it.
 */
export function settle<LifeState extends string, State extends Followed<LifeState>>(
  life: Life<LifeState>,
  before: State,
  { snapshot, fetchedAt }: { snapshot: ResourceSnapshot; fetchedAt: Instant },
  evidence: Evidence,
): State {
  const known: State = { ...before, snapshotState: snapshot.state };
  const { state } = foldedOf(life, known);
  const { state: shown } = snapshot;
  if (shown === state || isBehind(life, shown, state)) return agreed(life, known, evidence);
  const isFurther = isState(life, shown) && !isFinalIn(life, state) && life.rank[shown] > life.rank[state];
  const newest = inOrder(known.facts).findLast((fact) => isProviders(life, fact));
  const isFresh = newest === undefined || evidence.explains(newest.id);
  if (!isFurther && known.doubts < (isFresh ? 1 : LAST_DOUBT)) return { ...known, doubts: known.doubts + 1 };
  const ours = observed(known, snapshot, fetchedAt);
  const isJudged = (id: string): boolean => id === ours.id || isCovered(evidence, id);
  const settled = examinedAll(life, withReceived(known, ours), isJudged);
  if (foldedOf(life, settled).state === shown) return settled;
  return withFlag(settled, 'conflict', fetchedAt, {
    detail: `The facts say ${state}; the provider shows ${shown}.`,
    next: 'Compare the timeline with the provider, and write to the provider if it is wrong there.',
  });
}

const isCovered = ({ explains, covers }: Evidence, id: string): boolean => explains(id) || covers(id);

/** What the provider published, and not what we noted of our own doing. */
const isProviders = (life: Life<string>, { source, type }: Fact): boolean =>
  source !== 'lookup' && !(source === 'command' && life.still.has(type));

const LAST_DOUBT = NEXT_LOOK_UP_SECONDS.length - 1;

const isBehind = <LifeState extends string>(
  life: Life<LifeState>,
  shown: string,
  state: LifeState,
): boolean => isState<LifeState>(life, shown) && life.rank[shown] < life.rank[state];

/** Nothing disagrees. What this snapshot explains is closed; the rest is looked up again, for a while. */
function agreed<LifeState extends string, State extends Followed<LifeState>>(
  life: Life<LifeState>,
  state: State,
  evidence: Evidence,
): State {
  const calm = { ...state, attention: lower(state.attention, 'conflict') };
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
  { state: shown, createdAt, causedBy, reason }: ResourceSnapshot,
  fetchedAt: Instant,
): Fact => ({
  id: `lookup/${fetchedAt}/${shown}`,
  type: 'observed',
  state: shown,
  publishedAt: afterAll(state, createdAt ?? fetchedAt),
  receivedAt: fetchedAt,
  source: 'lookup',
  authenticated: true,
  causedBy,
  reason,
});
