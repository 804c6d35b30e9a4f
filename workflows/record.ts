// What agreements and payments remember alike: facts, what is still to be examined, flags. Plain JSON and pure.
import { inOrder, learn } from '../domain/fact.js';
import { fold, isFinalIn, isState } from '../domain/fold.js';
import type { Fact, Instant } from '../domain/fact.js';
import type { Folded, Life } from '../domain/fold.js';
import { lower, raise } from '../domain/legible.js';
import type { Attention, AttentionCode, Awaiting, AwaitingWhat } from '../domain/legible.js';

/** Kept in full; of older ones only the ids, to know a repeat, and what they amounted to (design 4, rule 6). */
const FACTS_KEPT = 200;
const IDS_KEPT = 500;

/** How long to wait before looking again at what a look did not explain, by how often it was looked at in vain. */
const LOOK_AGAIN_SECONDS = [0, 5, 60, 300, 1800] as const;

export const lookAgainMs = (doubts: number): number => (LOOK_AGAIN_SECONDS[doubts] ?? 0) * 1000;

/** Why a call was not made, or not answered, in a way that only a person can change. */
export type Blocked = Attention;

export interface Memory<State extends string> {
  /** What facts that are no longer kept had amounted to. */
  start: State;
  facts: Fact[];
  olderCount: number;
  olderIds: string[];
  /** Facts that raised a question which look-ups have answered, or have failed to answer for long. */
  examined: string[];
  /** How many looks in a row left a question open. */
  doubts: number;
  /** The state that the provider's resource showed when we last looked. */
  shown?: string | undefined;
  attention: Attention[];
  /** Why the provider will not talk to us until a person consents. */
  blocked?: Blocked | undefined;
  awaiting: Awaiting;
}

export const emptyMemory = <State extends string>(start: State, what: AwaitingWhat, since: Instant): Memory<State> => ({
  start, facts: [], olderCount: 0, olderIds: [], examined: [], doubts: 0, attention: [], awaiting: { what, since },
}); // prettier-ignore

/** Notes what is awaited; the same wait keeps its beginning. */
export function waiting<M extends Memory<string>>(
  memory: M,
  what: AwaitingWhat,
  now: Instant,
  until?: Instant,
): M {
  const { awaiting } = memory;
  if (awaiting.what === what && awaiting.until === until) return memory;
  return { ...memory, awaiting: { what, since: awaiting.what === what ? awaiting.since : now, until } };
}

/** The flags that stand, with the one for what blocks the next step. */
export const attentionOf = ({ attention, blocked }: Memory<string>): Attention[] =>
  blocked === undefined ? attention : raise(attention, blocked);

/** Remembers a fact once, however often it comes. */
export function remember<M extends Memory<string>>(memory: M, fact: Fact): M {
  if (memory.olderIds.includes(fact.id)) return memory;
  const { facts, learned } = learn(memory.facts, fact);
  return learned ? { ...memory, facts } : memory;
}

export const foldedOf = <State extends string>(life: Life<State>, memory: Memory<State>): Folded<State> =>
  fold(life, memory.start, memory.facts);

/** Facts that ask for a look-up which has not been made yet. */
export function unexamined<State extends string>(life: Life<State>, memory: Memory<State>): string[] {
  const { conflicts, telling, unknown, unconfirmed } = foldedOf(life, memory);
  return [...conflicts, ...telling, ...unknown, ...unconfirmed].filter((id) => !memory.examined.includes(id));
}

/**
 * What a look-up saw, recorded as a fact. It stands right after everything known by then, by the provider's clock and
 * not by ours: a look says more than what was known before it, and nothing against what is published later.
 */
export function observed(memory: Memory<string>, shown: Shown): Fact {
  const last = inOrder(memory.facts).at(-1)?.publishedAt;
  const publishedAt = last === undefined ? (shown.createdAt ?? shown.lookedAt) : justAfter(last);
  const { state, lookedAt } = shown;
  const id = `lookup/${lookedAt}/${state}`;
  return {
    id,
    type: 'observed',
    state,
    publishedAt,
    receivedAt: lookedAt,
    source: 'lookup',
    authenticated: true,
  };
}

const justAfter = (instant: Instant): Instant => new Date(Date.parse(instant) + 1).toISOString();

/** The part of a look that can disagree with the facts. */
export interface Shown {
  state: string;
  /** When the resource came to be, by the provider's clock. */
  createdAt?: Instant | undefined;
  /** When we looked, by ours. */
  lookedAt: Instant;
}

/**
 * Settles what the facts say against what the provider's resource shows. A state further along is taken at once.
 * A disagreement is looked at again, since an answer may be older than what we were told meanwhile; and a fact that
 * raised a question stays open until the provider's own history holds it, or several looks did not explain it.
 * @param explains whether this look vouches for the fact of that id.
 */
export function settle<State extends string, M extends Memory<State>>(
  life: Life<State>,
  memory: M,
  look: Shown,
  explains: (id: string) => boolean,
): M {
  const looked: M = { ...memory, shown: look.state };
  const { state } = foldedOf(life, looked);
  if (look.state === state || isBehind(life, look.state, state)) return agreed(life, looked, explains);
  const { state: shown } = look;
  const isFurther = isState(life, shown) && !isFinalIn(life, state) && life.rank[shown] > life.rank[state];
  const newest = inOrder(looked.facts).findLast(({ source }) => source !== 'lookup');
  const isFresh = newest === undefined || explains(newest.id);
  if (!isFurther && memory.doubts < (isFresh ? 1 : LAST_DOUBT))
    return { ...looked, doubts: memory.doubts + 1 };
  const seen = examinedAll(life, remember(looked, observed(looked, look)));
  if (foldedOf(life, seen).state === look.state) return seen;
  return flag(seen, 'conflict', look.lookedAt, {
    detail: `The facts say ${state}; the provider shows ${look.state}.`,
    next: 'Compare the timeline with the provider, and write to the provider if it is wrong there.',
  });
}

const LAST_DOUBT = LOOK_AGAIN_SECONDS.length - 1;

const isBehind = <State extends string>(life: Life<State>, shown: string, state: State): boolean =>
  isState<State>(life, shown) && life.rank[shown] < life.rank[state];

/** Nothing disagrees. What this look explains is closed; the rest is looked at again, for a while. */
function agreed<State extends string, M extends Memory<State>>(
  life: Life<State>,
  memory: M,
  explains: (id: string) => boolean,
): M {
  const calm = { ...memory, attention: lower(memory.attention, 'conflict') };
  const open = unexamined(life, calm);
  if (open.every(explains) || memory.doubts >= LAST_DOUBT) return examinedAll(life, calm);
  return { ...examined(calm, open.filter(explains)), doubts: memory.doubts + 1 };
}

const examinedAll = <State extends string, M extends Memory<State>>(life: Life<State>, memory: M): M => ({
  ...examined(memory, unexamined(life, memory)),
  doubts: 0,
});

const examined = <M extends Memory<string>>(memory: M, ids: readonly string[]): M => ({
  ...memory,
  examined: [...memory.examined, ...ids].slice(-IDS_KEPT),
});

export function flag<M extends Memory<string>>(
  memory: M,
  code: AttentionCode,
  since: Instant,
  words: { detail: string; next: string },
): M {
  return { ...memory, attention: raise(memory.attention, { code, since, ...words }) };
}

/** Drops the oldest facts from what is kept, leaving what they amounted to and their ids. Open questions stay. */
export function compact<State extends string, M extends Memory<State>>(life: Life<State>, memory: M): M {
  const open = unexamined(life, memory);
  const ordered = inOrder(memory.facts);
  const firstOpen = ordered.findIndex(({ id }) => open.includes(id));
  const cut = Math.min(Math.max(ordered.length - FACTS_KEPT, 0), firstOpen === -1 ? Infinity : firstOpen);
  if (cut === 0) return memory;
  const surplus = ordered.slice(0, cut);
  return {
    ...memory,
    start: fold(life, memory.start, surplus).state,
    facts: ordered.slice(cut),
    olderCount: memory.olderCount + surplus.length,
    olderIds: [...memory.olderIds, ...surplus.map(({ id }) => id)].slice(-IDS_KEPT),
  };
}

export const lastFactAt = (memory: Memory<string>): Instant | undefined =>
  inOrder(memory.facts).at(-1)?.publishedAt;

/** Whose account it belongs to. Only what is still being adopted may lack an owner, and that asks nobody else. */
export function ownerOf({ uid, connectionId }: { uid: string; connectionId?: string | undefined }): string {
  if (connectionId === undefined) throw new Error(`expected ${uid} to have a connection by now`);
  return connectionId;
}
