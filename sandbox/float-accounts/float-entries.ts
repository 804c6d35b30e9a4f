// The entries of a float account as far back as they are kept: a rolling 24 months (facts 6).
import type { Engine } from '../engine.js';
import type { FloatAccount, FloatEntry } from './float-account.schema.js';

const KEPT_MONTHS = 24;

/** The first instant whose entries are still kept, in milliseconds. */
export function keptSince({ clock }: Engine): number {
  const date = new Date(clock.now());
  return date.setUTCMonth(date.getUTCMonth() - KEPT_MONTHS);
}

/** Newest first, then by id: entries of one instant are not in the order of their balances (facts 6). */
export function entriesOf(engine: Engine, { id }: FloatAccount): FloatEntry[] {
  const since = keptSince(engine);
  return [...engine.store.floatEntries.values()]
    .filter((entry) => entry.account_id === id && Date.parse(entry.created_at) >= since)
    .sort((a, b) => compare(b.created_at, a.created_at) || compare(b.id, a.id));
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
