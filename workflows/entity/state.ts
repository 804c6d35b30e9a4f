// What agreements and payments remember alike: facts, what is still to be examined, flags. Plain JSON and pure.
import { inOrder, isBefore, learn } from '../../domain/fact.js';
import { fold } from '../../domain/fold.js';
import type { Fact, Instant } from '../../domain/fact.js';
import type { Entered, Folded, Life } from '../../domain/fold.js';
import { raise } from '../../domain/legible.js';
import type { Attention, AttentionCode, Awaiting, AwaitingWhat } from '../../domain/legible.js';

/** Kept in full; of older ones only the ids, to know a repeat, and what they amounted to (design 4, rule 6). */
const FACTS_KEPT = 200;
export const IDS_KEPT = 500;

/** Why a call was not made, or not answered, in a way that only a person can change. */
export type Blocked = Attention;

export interface Memory<State extends string> {
  /** What facts that are no longer kept had amounted to. */
  start: State;
  /** How that state was entered; records of before this was kept have none. */
  entered?: Entered | undefined;
  facts: Fact[];
  olderCount: number;
  olderIds: string[];
  /** Of facts published before this not even the ids are all known any more: what a history tells of then is no news. */
  forgottenBefore?: Instant | undefined;
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
  if (memory.olderIds.includes(fact.id) || isForgotten(memory, fact)) return memory;
  const { facts, learned } = learn(memory.facts, fact);
  return learned ? { ...memory, facts } : memory;
}

const isForgotten = ({ forgottenBefore }: Memory<string>, { source, publishedAt }: Fact): boolean =>
  source === 'history' && forgottenBefore !== undefined && publishedAt < forgottenBefore;

/**
 * Whether it may be a repeat of what was forgotten, id and all: of that time not everything is known any more. To fold it once
 * more would undo what came after it.
 */
export const mayBeForgotten = (memory: Memory<string>, fact: Fact): boolean =>
  isOfForgottenTime(memory, fact) &&
  !memory.olderIds.includes(fact.id) &&
  memory.facts.every(({ id }) => id !== fact.id);

/** Whether it is of a time of which not even the ids are all known any more. */
export const isOfForgottenTime = ({ forgottenBefore }: Memory<string>, { publishedAt }: Fact): boolean =>
  forgottenBefore !== undefined && !isBefore(forgottenBefore, publishedAt);

/** Knows it by its id from now on, and by no more. */
export const withOlderId = <M extends Memory<string>>(memory: M, id: string): M => ({
  ...memory,
  olderIds: [...memory.olderIds, id].slice(-IDS_KEPT),
});

export const foldedOf = <State extends string>(life: Life<State>, memory: Memory<State>): Folded<State> =>
  fold(life, memory.start, memory.facts, memory.entered);

/** Facts that ask for a look-up which has not been made yet. */
export function unexamined<State extends string>(life: Life<State>, memory: Memory<State>): string[] {
  const { conflicts, telling, unknown, unconfirmed } = foldedOf(life, memory);
  return [...conflicts, ...telling, ...unknown, ...unconfirmed].filter((id) => !memory.examined.includes(id));
}

/** Right after everything known by now, by the provider's clock; `otherwise` where nothing is known. */
export function afterAll(memory: Memory<string>, otherwise: Instant): Instant {
  const last = inOrder(memory.facts).at(-1)?.publishedAt;
  return last === undefined ? otherwise : new Date(Date.parse(last) + 1).toISOString();
}

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
  const ids = [...memory.olderIds, ...surplus.map(({ id }) => id)];
  const isTooMany = ids.length > IDS_KEPT;
  const { state, since, causedBy, reason } = fold(life, memory.start, surplus, memory.entered);
  return {
    ...memory,
    start: state,
    entered: { since, causedBy, reason },
    facts: ordered.slice(cut),
    olderCount: memory.olderCount + surplus.length,
    olderIds: ids.slice(-IDS_KEPT),
    forgottenBefore: isTooMany ? ordered[cut]?.publishedAt : memory.forgottenBefore,
  };
}

export const lastFactAt = (memory: Memory<string>): Instant | undefined =>
  inOrder(memory.facts).at(-1)?.publishedAt;

/** Whose account it belongs to. Only what is still being adopted may lack an owner, and that asks nobody else. */
export function ownerOf({ uid, connectionId }: { uid: string; connectionId?: string | undefined }): string {
  if (connectionId === undefined) throw new Error(`expected ${uid} to have a connection by now`);
  return connectionId;
}
