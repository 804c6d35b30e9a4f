import type { Fact } from '../../domain/facts/fact.js';

let count = 0;

export function aFact(type: string, over: Partial<Fact> = {}): Fact {
  count += 1;
  const publishedAt = new Date(Date.UTC(2026, 10, 1) + count * 1000).toISOString();
  return {
    id: `event-${String(count).padStart(6, '0')}`,
    type,
    publishedAt,
    receivedAt: publishedAt,
    source: 'webhook',
    authenticated: true,
    ...over,
  };
}
