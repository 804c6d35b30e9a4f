// One fact about a resource at the provider, and how a set of facts is kept.
// Pure: arrival order and repetition mean nothing (docs/architecture.md#facts-and-state).

/** UTC, RFC 3339 with milliseconds and `Z`, so that comparing two as text compares them in time. */
export type Instant = string;

/** How a fact was received: pushed, read from the provider's history, read from the resource itself, or noted of our own doing. */
export const FACT_SOURCES = ['webhook', 'history', 'lookup', 'command'] as const;
export type FactSource = (typeof FACT_SOURCES)[number];

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Why a state changed, in the provider's words (docs/provider.md#history). Every part may be missing. */
export interface Reason {
  code?: string | undefined;
  title?: string | undefined;
  detail?: string | undefined;
  narrative?: string | undefined;
  /** What a person should do about it: ours, from the error table or of our own code. */
  next?: string | undefined;
}

export interface Fact {
  /** The provider's event id; the same in a webhook and in history, so it deduplicates both (docs/provider.md#history). */
  id: string;
  /** The event type without its resource prefix (`activated`), or `observed` for what a snapshot showed. */
  type: string;
  publishedAt: Instant;
  receivedAt: Instant;
  source: FactSource;
  /** Whether these very bytes are known to be the provider's: false for a webhook under a bearer verifier. */
  authenticated: boolean;
  /** For a webhook only: the connection that the address named which it came to. */
  namedConnectionId?: string | undefined;
  /** For `observed` only: the state that the provider's resource showed. */
  state?: string | undefined;
  /** For `observed` only: the provider has shown for long that it is not over, whatever is noted here. */
  overrules?: true | undefined;
  causedBy?: string | undefined;
  reason?: Reason | undefined;
  /** What else the event carried, kept as it came. */
  detail?: { [key: string]: Json } | undefined;
  /** It raised a question that snapshots have answered, or have failed to answer for long. */
  isChecked?: true | undefined;
  /** Texts or parts of the detail were too large to be kept (domain/facts/retention.ts). */
  dropped?: true | undefined;
}

/** One event out of an envelope. All but `other` are sure to have a uid, an id and a type. */
export interface Notification {
  resource: 'agreement' | 'payment' | 'refund' | 'other';
  /** The provider's `resource_type`, or the nearest thing to it. */
  resourceType: string;
  /** Fit for a path and a workflow id (domain/provider/uid.ts); absent where the provider gave none that is. */
  uid?: string;
  fact: Fact;
}

/** Facts in the order in which they happened. Ids break ties, so that every process agrees. */
export function inOrder(facts: readonly Fact[]): Fact[] {
  return [...facts].sort((a, b) => compare(a.publishedAt, b.publishedAt) || compare(a.id, b.id));
}

/**
 * Adds one fact to a set, in place of nothing or of its own earlier copy. The first arrival is kept;
 * a later authenticated copy (history after an unauthenticated webhook) authenticates it, and takes its place.
 * Copies may differ in the fraction of a second (docs/provider.md#conventions): what stands out of order by that, the snapshot that brought it settles.
 * @returns the new set, and whether it differs from the old one.
 */
export function addFact(facts: readonly Fact[], fact: Fact): { facts: Fact[]; isNew: boolean } {
  const found = facts.find((other) => other.id === fact.id);
  if (found === undefined) return { facts: [...facts, fact], isNew: true };
  if (found.authenticated || !fact.authenticated) return { facts: [...facts], isNew: false };
  const confirmed: Fact = { ...fact, receivedAt: found.receivedAt, isChecked: found.isChecked };
  return { facts: facts.map((other) => (other.id === fact.id ? confirmed : other)), isNew: true };
}

/** The last of those that are known. */
export const latest = (instants: readonly (Instant | undefined)[]): Instant | undefined =>
  instants
    .filter((one) => one !== undefined)
    .sort()
    .at(-1);

/** Whether the provider published it, so that its instant is of the provider's clock. */
export const isPublished = ({ source }: Fact): boolean => source === 'webhook' || source === 'history';

/**
 * Whether the one was certainly published before the other. Histories have been seen to write instants to the second, webhooks to
 * the millisecond (docs/provider.md#conventions): what has no fraction may stand for any moment of its second.
 */
export const isBefore = (at: Instant, other: Instant): boolean =>
  at.endsWith('.000Z') ? isBeforeSecond(at, other) : at < other;

/** Whether the one was published in an earlier second: of any other, some copy may look as if it came later. */
export const isBeforeSecond = (at: Instant, other: Instant): boolean =>
  at.slice(0, TO_THE_SECOND) < other.slice(0, TO_THE_SECOND);

const TO_THE_SECOND = '2026-01-01T00:00:00'.length;

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
