// From what is known of an agreement's facts to what callers read.
import type { Fact } from '../../domain/fact.js';
import type { Timeline } from '../../workflows/agreement/contract.js';
import type { FactAnswered } from '../schemas/timeline.schema.js';
import { reasonAnswer } from './legible.js';

/** Facts that are kept, and facts that were read again: of these nobody knows any more when they were first heard. */
export function factsAnswer(facts: readonly Fact[], { facts: kept, conflicts }: Timeline): FactAnswered[] {
  const isKept = new Set(kept.map(({ id }) => id));
  const known = (fact: Fact) => ({
    received_at: fact.receivedAt,
    late_by_seconds: Math.max(Date.parse(fact.receivedAt) - Date.parse(fact.publishedAt), 0) / 1000,
    conflict: conflicts.includes(fact.id),
  });
  return facts.map((fact) => ({ ...factAnswer(fact), ...(isKept.has(fact.id) ? known(fact) : READ_AGAIN) }));
}

const READ_AGAIN = { received_at: null, late_by_seconds: null, conflict: null };

const factAnswer = (fact: Fact) => ({
  id: fact.id,
  type: fact.type,
  state: fact.state ?? null,
  published_at: fact.publishedAt,
  source: fact.source,
  authenticated: fact.authenticated,
  caused_by: fact.causedBy ?? null,
  reason: reasonAnswer(fact.reason),
  detail: fact.detail ?? null,
});
