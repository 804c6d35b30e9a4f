// An agreement's facts as readers page through them: what is kept, and before it what the provider's history still holds.
// Pure. One order for both, so that a reader who follows the pages meets every fact once.
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
  /** How many older ones are known by a hash of the id alone. */
  olderCount: number;
  /** Ids of the facts that did not fit where they stood. */
  conflicts: string[];
  /** Whose account it is on; absent while that is not known. */
  connectionId?: string | undefined;
  /** Personal values of the agreement, to be masked in texts. */
  personalValues?: string[] | undefined;
}

/** @param kept of it `start`: the state that the older facts amount to. */
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

/** Of what came since the run began no more is answered in full: half of what Temporal takes. */
const MOST_BYTES = 1024 * 1024;

/** Where a fact stands: a later one has a greater place, and no two have the same. */
export type Place = [publishedAt: Instant, id: string];

export const placeOf = ({ publishedAt, id }: Fact): Place => [publishedAt, id];

/** Whether the first place is later than the second. Facts of one instant are ordered by id. */
export function isAfter([instant, id]: Place, [otherInstant, otherId]: Place): boolean {
  return instant === otherInstant ? id > otherId : instant > otherInstant;
}

/** What is asked of a history: the facts that are not kept here. */
export interface OlderFactsRequest {
  /** Only those after this place; from the very first where it is left out. */
  since?: Place | undefined;
  /** The place of the newest that is kept. What comes after it is news, and not for this way of learning it. */
  before: Place;
  /** Ids of those that are kept. */
  stored: readonly string[];
}

export interface OlderFacts {
  /** In order. */
  facts: Fact[];
  /** False where there are more than one answer holds. */
  isLast: boolean;
}

/** The failures with which the provider refuses its history: a call that ends so is not repeated. */
export const HISTORY_REFUSALS = ['rejected', 'not_found', 'conflict', 'client_refused'] as const;

/** So much goes into one answer, in facts and in characters of JSON: a quarter of what Temporal takes as one payload. */
const MOST = { facts: 1000, characters: 512 * 1024 };

export const NOTHING_OLDER: OlderFacts = { facts: [], isLast: true };

/**
 * The facts of a history that are not kept here, in order; as many as one answer holds.
 * Not simply those before the oldest that is kept: one that came late, long after its time, stands alone before the others.
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

/** How many of the first fit; one always does, so that a reader gets on. */
function fitting(facts: readonly Fact[], most: typeof MOST): number {
  let characters = 0;
  const tooMany = facts.slice(0, most.facts).findIndex((fact, index) => {
    characters += JSON.stringify(fact).length;
    return index > 0 && characters > most.characters;
  });
  return tooMany === -1 ? most.facts : tooMany;
}

/** How far a reader has come. */
export interface Reached {
  /** The place of the last fact that was given. */
  after: Place;
  /** Only while among facts that are not kept, or right after them: since where the answer reaches that is paged through. */
  older?: { since?: Place | undefined };
}

export interface TimelinePage {
  facts: Fact[];
  /** Where the next page begins; absent on the last one. */
  next?: Reached | undefined;
}

/**
 * One page of what is kept and what was read from the history, in order.
 * @param stored all that is kept, in order.
 * @param older what the history held since `at.since`; NOTHING_OLDER where it need not be asked.
 */
export function timelinePage(
  stored: readonly Fact[],
  older: OlderFacts,
  at: { after?: Place | undefined; since?: Place | undefined; limit: number },
): TimelinePage {
  const lastRead = older.isLast ? undefined : older.facts.at(-1);
  // Past what was read may stand facts of the history that were not.
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
  // Before all that is kept: the answer at hand says again that there is nothing between.
  return { facts, next: stored.every(isLeft) ? { after, older: { since: at.since } } : { after } };
}

const isPast =
  (place: Place | undefined) =>
  (fact: Fact): boolean =>
    place === undefined || isAfter(placeOf(fact), place);
