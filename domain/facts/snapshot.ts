// A snapshot of a resource at the provider, translated for workflows and activities, and a refusal.
import type { Fact, Instant, Reason } from './fact.js';

/** Replaces a missing state in an answer. It is not a state of the provider, so it causes a look-up like any unknown state. */
export const MISSING_STATE = 'unknown';

/** The fields of every followed resource. */
export interface ResourceSnapshot {
  uid: string;
  /** The provider's state, which may be unknown to us. */
  state: string;
  causedBy?: string | undefined;
  reason?: Reason | undefined;
  /** By the provider's clock. */
  createdAt?: Instant | undefined;
}

/** A fetched snapshot, with the resource's history if it has one and we read it. */
export interface Fetched<Snapshot extends ResourceSnapshot> {
  /** When its first request was made, by our clock. */
  fetchedAt: Instant;
  snapshot: Snapshot;
  history: Fact[];
}

/** Why the provider refused a request. */
export interface Refusal {
  code?: string | undefined;
  title?: string | undefined;
  /** What a person should do about it. This is our text, from the error table or for one of our own codes. */
  next?: string | undefined;
  /** Milliseconds until the provider may accept it. */
  retryAfterMs?: number | undefined;
  /** It is temporary, such as a daily limit: the same request may be accepted later. */
  isTemporary?: true | undefined;
}
