// How a look at the provider's resource is settled against the facts. Plain JSON and pure.
import { inOrder } from '../../domain/fact.js';
import { isFinalIn, isState } from '../../domain/fold.js';
import { lower } from '../../domain/legible.js';
import { IDS_KEPT, afterAll, flag, foldedOf, remember, unexamined } from './state.js';
import type { Fact, Instant, Reason } from '../../domain/fact.js';
import type { Life } from '../../domain/fold.js';
import type { Memory } from './state.js';

/** How long to wait before looking again at what a look did not explain, by how often it was looked at in vain. */
const LOOK_AGAIN_SECONDS = [0, 5, 60, 300, 1800] as const;

export const lookAgainMs = (doubts: number): number => (LOOK_AGAIN_SECONDS[doubts] ?? 0) * 1000;

/** The part of a look that can disagree with the facts. */
export interface Shown {
  state: string;
  /** When the resource came to be, by the provider's clock. */
  createdAt?: Instant | undefined;
  /** When we looked, by ours. */
  lookedAt: Instant;
  causedBy?: string | undefined;
  reason?: Reason | undefined;
}

/**
 * Settles what the facts say against what the provider's resource shows. A state further along is taken at once.
 * A disagreement is looked at again, since an answer may be older than what we were told meanwhile; and a fact that
 * raised a question stays open until the provider's own history holds it, or several looks did not explain it.
 * @param explains whether this look vouches for the fact of that id.
 * @param isAsked whether the look can say anything of that fact: not of one that came only while it was made.
 */
export function settle<State extends string, M extends Memory<State>>(
  life: Life<State>,
  memory: M,
  look: Shown,
  explains: (id: string) => boolean,
  isAsked: (id: string) => boolean = () => true,
): M {
  const looked: M = { ...memory, shown: look.state };
  const { state } = foldedOf(life, looked);
  if (look.state === state || isBehind(life, look.state, state))
    return agreed(life, looked, explains, isAsked);
  const { state: shown } = look;
  const isFurther = isState(life, shown) && !isFinalIn(life, state) && life.rank[shown] > life.rank[state];
  const newest = inOrder(looked.facts).findLast((fact) => isProviders(life, fact));
  const isFresh = newest === undefined || explains(newest.id);
  if (!isFurther && memory.doubts < (isFresh ? 1 : LAST_DOUBT))
    return { ...looked, doubts: memory.doubts + 1 };
  const ours = observed(looked, look);
  const isJudged = (id: string): boolean => id === ours.id || explains(id) || isAsked(id);
  const seen = examinedAll(life, remember(looked, ours), isJudged);
  if (foldedOf(life, seen).state === look.state) return seen;
  return flag(seen, 'conflict', look.lookedAt, {
    detail: `The facts say ${state}; the provider shows ${look.state}.`,
    next: 'Compare the timeline with the provider, and write to the provider if it is wrong there.',
  });
}

/** What the provider told, and not what we noted of our own doing. */
const isProviders = (life: Life<string>, { source, type }: Fact): boolean =>
  source !== 'lookup' && !(source === 'command' && life.still.has(type));

const LAST_DOUBT = LOOK_AGAIN_SECONDS.length - 1;

const isBehind = <State extends string>(life: Life<State>, shown: string, state: State): boolean =>
  isState<State>(life, shown) && life.rank[shown] < life.rank[state];

/** Nothing disagrees. What this look explains is closed; the rest is looked at again, for a while. */
function agreed<State extends string, M extends Memory<State>>(
  life: Life<State>,
  memory: M,
  explains: (id: string) => boolean,
  isAsked: (id: string) => boolean,
): M {
  const calm = { ...memory, attention: lower(memory.attention, 'conflict') };
  const open = unexamined(life, calm);
  const isJudged = (id: string): boolean => explains(id) || isAsked(id);
  if (open.filter(isJudged).every(explains) || memory.doubts >= LAST_DOUBT)
    return examinedAll(life, calm, isJudged);
  return { ...examined(calm, open.filter(explains)), doubts: memory.doubts + 1 };
}

/** What came only while the look was made stays open, for the next one. */
const examinedAll = <State extends string, M extends Memory<State>>(
  life: Life<State>,
  memory: M,
  isJudged: (id: string) => boolean,
): M => ({ ...examined(memory, unexamined(life, memory).filter(isJudged)), doubts: 0 });

const examined = <M extends Memory<string>>(memory: M, ids: readonly string[]): M => ({
  ...memory,
  examined: [...memory.examined, ...ids].slice(-IDS_KEPT),
});

/**
 * What a look-up saw, recorded as a fact. It stands right after everything known by then, by the provider's clock and
 * not by ours: a look says more than what was known before it, and nothing against what is published later.
 */
export function observed(memory: Memory<string>, shown: Shown): Fact {
  const publishedAt = afterAll(memory, shown.createdAt ?? shown.lookedAt);
  const { state, lookedAt, causedBy, reason } = shown;
  const id = `lookup/${lookedAt}/${state}`;
  return {
    id,
    type: 'observed',
    state,
    publishedAt,
    receivedAt: lookedAt,
    source: 'lookup',
    authenticated: true,
    causedBy,
    reason,
  };
}
