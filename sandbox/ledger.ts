// The ground truth: an append-only list of what was called, what changed and what was sent. Never a secret.
import type { Clock } from './time/clock.js';
import type { LedgerEntry, LedgerFact } from './ledger.schema.js';
import type { Past } from './past.js';
import type { Store } from './store.js';

export interface Ledger {
  /** A change is told once the resource is what it has become: the past is kept from here. */
  append(fact: LedgerFact): void;
  /** The entries after that number, oldest first. */
  since(seq: number): LedgerEntry[];
}

export function createLedger(store: Store, clock: Clock, past: Past): Ledger {
  return {
    append(fact) {
      store.ledger.push({ seq: store.ledger.length + 1, at: clock.iso(), ...fact });
      if (fact.kind === 'change') past.note(fact.resource_type, fact.resource_uid, fact.from === null);
      store.touch();
    },
    since: (seq) => store.ledger.slice(seq),
  };
}
