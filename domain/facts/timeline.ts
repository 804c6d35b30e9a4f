// Pages through an agreement's facts: the stored ones, and the older ones in the provider's history.
// Pure. Both use one order, so that a reader sees every fact once.
import { AGREEMENT_LIFECYCLE } from '../agreement/lifecycle.js';
import { personalValues } from '../agreement/personal-values.js';
import { inOrder } from './fact.js';
import { fold } from './fold.js';
import { withinBytes } from './retention.js';
import type { AgreementLifecycleState } from '../agreement/lifecycle.js';
import type { Mandate } from '../agreement/mandate.js';
import type { Fact, Instant } from './fact.js';

export interface Timeline {
  /** Oldest first: the newest 200. */
  facts: Fact[];
  /** How many older facts are known only by a hash of their id. */
  olderCount: number;
  /** Ids of conflicting facts. */
  conflicts: string[];
  /** Absent if the connection is unknown. */
  connectionId?: string | undefined;
  /** Personal values of the agreement, which texts must mask. */
  personalValues?: string[] | undefined;
}

/** @param kept `start`: the state that older facts led to. */
export const timelineOf = ({
  facts,
  droppedHashes = [],
  connectionId,
  start,
  mandate,
  payIdNames,
}: Pick<Timeline, 'facts' | 'connectionId'> & Kept): Timeline => ({
  facts: withinBytes(inOrder(facts), MOST_BYTES),
  olderCount: droppedHashes.length,
  conflicts: fold(AGREEMENT_LIFECYCLE, start, facts).conflicts,
  connectionId,
  personalValues: personalValues([
    mandate,
    { party_name: payIdNames?.debtor },
    { party_name: payIdNames?.creditor },
  ]),
});

interface Kept {
  droppedHashes?: readonly string[] | undefined;
  start: AgreementLifecycleState;
  mandate?: Mandate | undefined;
  payIdNames?: { debtor?: string | null; creditor?: string | null } | undefined;
}

/** The most bytes of facts in one answer: half of Temporal's limit. Only a run that has received many facts has more. */
const MOST_BYTES = 1024 * 1024;

/** The position of a fact in the timeline. Later facts have greater places, and no two are equal. */
export type Place = [publishedAt: Instant, id: string];

export const placeOf = ({ publishedAt, id }: Fact): Place => [publishedAt, id];

/** Whether the first place is after the second. Facts of one instant are ordered by id. */
export function isAfter([instant, id]: Place, [otherInstant, otherId]: Place): boolean {
  return instant === otherInstant ? id > otherId : instant > otherInstant;
}

/** A request for facts in the history that are not stored here. */
export interface OlderFactsRequest {
  /** Only facts after this place; absent: from the first one. */
  since?: Place | undefined;
  /** The place of the newest stored fact. Later facts in the history are new, and must arrive in the normal way. */
  before: Place;
  /** Ids of the stored facts. */
  stored: readonly string[];
}

export interface OlderFacts {
  facts: Fact[];
  /** False if more facts exist than fit into one answer. */
  isLast: boolean;
}

/** Codes with which the provider refuses its history. Such a call is not retried. */
export const HISTORY_REFUSALS = ['rejected', 'not_found', 'conflict', 'client_refused'] as const;

/** The most facts, and characters of JSON, in one answer: a quarter of Temporal's payload limit. */
const MOST = { facts: 1000, characters: 512 * 1024 };

export const NOTHING_OLDER: OlderFacts = { facts: [], isLast: true };

/**
 * The facts of a history that are not stored here, in order, as many as fit into one answer.
 * They are not simply those before the oldest stored fact: a fact that arrived late may be stored while its neighbours are not.
 */
export function olderFacts(
  history: readonly Fact[],
  { since, before, stored }: OlderFactsRequest,
  most = MOST,
): OlderFacts {
  const isStored = new Set(stored);
  const once = [...new Map(history.map((fact) => [fact.id, fact])).values()];
  const requested = inOrder(once).filter((fact) => {
    const place = placeOf(fact);
    return !isStored.has(fact.id) && isAfter(before, place) && (since === undefined || isAfter(place, since));
  });
  const facts = requested.slice(0, fitting(requested, most));
  return { facts, isLast: facts.length === requested.length };
}

/** How many of the first facts fit. At least one does, so that a reader always makes progress. */
function fitting(facts: readonly Fact[], most: typeof MOST): number {
  let characters = 0;
  const tooMany = facts.slice(0, most.facts).findIndex((fact, index) => {
    characters += JSON.stringify(fact).length;
    return index > 0 && characters > most.characters;
  });
  return tooMany === -1 ? most.facts : tooMany;
}

/** A reader's position. */
export interface Reached {
  /** The place of the last returned fact. */
  after: Place;
  /** Only for facts that are not stored, or right after them: the start of the current answer from the history. */
  older?: { since?: Place | undefined };
}

export interface TimelinePage {
  facts: Fact[];
  /** The start of the next page; absent on the last page. */
  next?: Reached | undefined;
}

/**
 * One page of stored facts and facts from the history, in order.
 * @param stored all stored facts, in order.
 * @param older facts of the history after `at.since`; NOTHING_OLDER if the history is not needed.
 */
export function timelinePage(
  stored: readonly Fact[],
  older: OlderFacts,
  at: { after?: Place | undefined; since?: Place | undefined; limit: number },
): TimelinePage {
  const lastRead = older.isLast ? undefined : older.facts.at(-1);
  // Beyond the last fact that was read, the history may contain more facts.
  const isInReach = (fact: Fact): boolean =>
    lastRead === undefined || isAfter(placeOf(lastRead), placeOf(fact));
  const ahead = inOrder([...older.facts, ...stored.filter(isInReach)]).filter(isPast(at.after));
  const facts = ahead.slice(0, at.limit);
  const last = facts.at(-1);
  const after = last === undefined ? at.after : placeOf(last);
  if (after === undefined) return { facts };
  const isLeft = isPast(after);
  if (older.facts.some(isLeft)) return { facts, next: { after, older: { since: at.since } } };
  if (lastRead !== undefined) return { facts, next: { after, older: { since: placeOf(lastRead) } } };
  if (!stored.some(isLeft)) return { facts };
  // Before the first stored fact, the next page uses the same answer from the history to see that nothing is in between.
  return { facts, next: stored.every(isLeft) ? { after, older: { since: at.since } } : { after } };
}

const isPast =
  (place: Place | undefined) =>
  (fact: Fact): boolean =>
    place === undefined || isAfter(placeOf(fact), place);
