// A fact about a resource at the provider, and the rules for sets of facts.
// Pure: arrival order and repetition do not matter (docs/architecture.md#facts-and-state).

/** UTC, RFC 3339 with milliseconds and `Z`, so that instants sort as text. */
export type Instant = string;

/** How we learned a fact: from a webhook, from the provider's history, from the resource itself, or from our own action. */
export const FACT_SOURCES = ['webhook', 'history', 'lookup', 'command'] as const;
export type FactSource = (typeof FACT_SOURCES)[number];

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Why a state changed, in the provider's words (docs/provider.md#history). Every field is optional. */
export interface Reason {
  code?: string | undefined;
  title?: string | undefined;
  detail?: string | undefined;
  narrative?: string | undefined;
  /** What a person should do about it. This is our text, from the error table or for one of our own codes. */
  next?: string | undefined;
  /** Only for our own reasons: it is temporary, so the same request may be accepted later. */
  isTemporary?: true | undefined;
}

export interface Fact {
  /** The provider's event id. Webhooks and history use the same id, so it removes duplicates (docs/provider.md#history). */
  id: string;
  /** The event type without its resource prefix (`activated`), or `observed` for a snapshot. */
  type: string;
  publishedAt: Instant;
  /** The provider's `published_at`, if it was so far in the future that the time of receipt replaces it as `publishedAt`. */
  claimedAt?: Instant | undefined;
  receivedAt: Instant;
  source: FactSource;
  /** Whether the provider certainly sent exactly these bytes: false for a webhook under a bearer verifier. */
  authenticated: boolean;
  /** Only for a webhook: the connection in the address that received it. */
  namedConnectionId?: string | undefined;
  /** Only for a webhook that a secret of one connection proved: that connection. Absent if a secret of the application did. */
  provenConnectionId?: string | undefined;
  /** Only with `provenConnectionId`: that connection has no consent, so the fact proves nothing about other connections. */
  causesNoLookUp?: true | undefined;
  /** Only for `observed`: the state that the provider showed. */
  state?: string | undefined;
  /** Only for `observed`: the provider has shown for long enough that the resource has not ended, so this overrules our state. */
  overrules?: true | undefined;
  causedBy?: string | undefined;
  reason?: Reason | undefined;
  /** The other data of the event, as received. */
  detail?: { [key: string]: Json } | undefined;
  /** It raised a doubt that snapshots have answered, or failed to answer for a long time. */
  isChecked?: true | undefined;
  /** Parts of the fact were too large to store (domain/facts/retention.ts). */
  dropped?: true | undefined;
}

/** Facts in the order of publication. Ids break ties, so every process uses the same order. */
export function inOrder(facts: readonly Fact[]): Fact[] {
  return [...facts].sort(
    (a, b) => compare(a.publishedAt, b.publishedAt) || compare(claimOf(a), claimOf(b)) || compare(a.id, b.id),
  );
}

const claimOf = ({ claimedAt, publishedAt }: Fact): Instant => claimedAt ?? publishedAt;

/** How far the provider's clock may be ahead of ours. Same as the tolerance of signatures by default. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** When an event was published, but never much later than we received it (docs/decisions/0034-hints-and-events-from-the-future.md). */
export const placeAt = (
  publishedAt: Instant,
  receivedAt: Instant,
): Pick<Fact, 'publishedAt' | 'claimedAt'> =>
  Date.parse(publishedAt) - Date.parse(receivedAt) > CLOCK_SKEW_MS
    ? { publishedAt: receivedAt, claimedAt: publishedAt }
    : { publishedAt };

/**
 * Adds a fact to a set. The first copy is kept, except that an authenticated copy (such as history after an unauthenticated webhook)
 * replaces an unauthenticated one. The instants of two copies may differ by a fraction of a second (docs/provider.md#conventions). If that
 * changes the order of facts, the snapshot fetched with the history settles the state.
 * @returns the new set, and whether it differs from the old one.
 */
export function addFact(facts: readonly Fact[], fact: Fact): { facts: Fact[]; isNew: boolean } {
  const found = facts.find((other) => other.id === fact.id);
  if (found === undefined) return { facts: [...facts, fact], isNew: true };
  if (found.authenticated || !fact.authenticated) return { facts: [...facts], isNew: false };
  const confirmed: Fact = { ...fact, receivedAt: found.receivedAt, isChecked: found.isChecked };
  return { facts: facts.map((other) => (other.id === fact.id ? confirmed : other)), isNew: true };
}

/** The latest of the known instants. */
export const latest = (instants: readonly (Instant | undefined)[]): Instant | undefined =>
  instants
    .filter((one) => one !== undefined)
    .sort()
    .at(-1);

/** Whether the provider published the fact, so that its instant is from the provider's clock. */
export const isPublished = ({ source }: Fact): boolean => source === 'webhook' || source === 'history';

/** When it happened: by the provider's clock if the provider published it. Otherwise by ours, and `publishedAt` only gives its place. */
export const happenedAt = (fact: Fact): Instant => (isPublished(fact) ? fact.publishedAt : fact.receivedAt);

/**
 * Whether `at` is certainly before `other`. Histories may have instants to the second, webhooks to the millisecond
 * (docs/provider.md#conventions). So an instant without a fraction may be any moment of its second.
 */
export const isBefore = (at: Instant, other: Instant): boolean =>
  at.endsWith('.000Z') ? isBeforeSecond(at, other) : at < other;

/** Whether `at` is in an earlier second than `other`. Within one second, copies of a fact may be in either order. */
export const isBeforeSecond = (at: Instant, other: Instant): boolean =>
  at.slice(0, TO_THE_SECOND) < other.slice(0, TO_THE_SECOND);

const TO_THE_SECOND = '2026-01-01T00:00:00'.length;

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
