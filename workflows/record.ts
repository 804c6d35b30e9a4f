// What agreements and payments remember alike: facts, what is still to be examined, flags. Plain JSON and pure.
import { inOrder, learn } from '../domain/fact.js';
import { fold, isFinalIn, isState } from '../domain/fold.js';
import type { Fact, Instant } from '../domain/fact.js';
import type { Folded, Life } from '../domain/fold.js';
import { raise } from '../domain/legible.js';
import type { Attention, AttentionCode, Awaiting, AwaitingWhat } from '../domain/legible.js';

/** Kept in full; of older ones only the ids, to know a repeat, and what they amounted to (design 4, rule 6). */
const FACTS_KEPT = 200;
const IDS_KEPT = 500;

export interface Blocked {
  code: 'needs_reauthorisation' | 'forbidden';
  since: Instant;
  detail: string;
}

export interface Memory<State extends string> {
  /** What facts that are no longer kept had amounted to. */
  start: State;
  facts: Fact[];
  olderCount: number;
  olderIds: string[];
  /** Facts that raised a question which a look-up has answered since. */
  examined: string[];
  /** How many looks in a row disagreed with the facts. */
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

/** The flags that stand, with the one that a missing consent raises. */
export function attentionOf({ attention, blocked }: Memory<string>): Attention[] {
  if (blocked === undefined) return attention;
  const next =
    'Consent again: POST /v1/connections/{id}/reauthorisation answers the link. This goes on by itself then.';
  return raise(attention, { ...blocked, next });
}

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
  const { conflicts, unknown, unconfirmed } = foldedOf(life, memory);
  return [...conflicts, ...unknown, ...unconfirmed].filter((id) => !memory.examined.includes(id));
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
 * Settles what the facts say against what the provider's resource shows. A state further along is taken at once;
 * anything else is looked at twice, since an answer may be older than what we were told meanwhile.
 */
export function settle<State extends string, M extends Memory<State>>(
  life: Life<State>,
  memory: M,
  look: Shown,
): M {
  const { state } = foldedOf(life, memory);
  const { state: shown, lookedAt } = look;
  const looked = { ...memory, shown };
  if (shown === state) return examinedAll(life, looked);
  const isBehind = isState(life, shown) && life.rank[shown] < life.rank[state];
  if (isBehind && unexamined(life, memory).length === 0) return looked; // an answer older than what we were told meanwhile
  const isAhead = isState(life, shown) && !isFinalIn(life, state) && life.rank[shown] > life.rank[state];
  if (!isAhead && memory.doubts === 0) return { ...looked, doubts: 1 };
  const seen = remember(looked, observed(looked, look));
  const settled = examinedAll(life, seen);
  if (foldedOf(life, settled).state === shown) return settled;
  return flag(settled, 'conflict', lookedAt, {
    detail: `The facts say ${state}; the provider shows ${shown}.`,
    next: 'Compare the timeline with the provider, and write to the provider if it is wrong there.',
  });
}

function examinedAll<State extends string, M extends Memory<State>>(life: Life<State>, memory: M): M {
  const examined = [...memory.examined, ...unexamined(life, memory)].slice(-IDS_KEPT);
  return { ...memory, examined, doubts: 0 };
}

export function flag<M extends Memory<string>>(
  memory: M,
  code: AttentionCode,
  since: Instant,
  words: { detail: string; next: string },
): M {
  return { ...memory, attention: raise(memory.attention, { code, since, ...words }) };
}

/** Drops the oldest facts from what is kept, leaving what they amounted to and their ids. */
export function compact<State extends string, M extends Memory<State>>(life: Life<State>, memory: M): M {
  const surplus = inOrder(memory.facts).slice(0, -FACTS_KEPT);
  if (surplus.length === 0) return memory;
  return {
    ...memory,
    start: fold(life, memory.start, surplus).state,
    facts: inOrder(memory.facts).slice(-FACTS_KEPT),
    olderCount: memory.olderCount + surplus.length,
    olderIds: [...memory.olderIds, ...surplus.map(({ id }) => id)].slice(-IDS_KEPT),
  };
}

export const lastFactAt = (memory: Memory<string>): Instant | undefined =>
  inOrder(memory.facts).at(-1)?.publishedAt;
