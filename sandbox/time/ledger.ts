// What happened, and what resources looked like a while ago.
import { LONGEST_LAG_SECONDS } from '../faults/actions.schema.js';
import type { Store } from '../store/document.js';
import type { LedgerEntry, LedgerFact } from '../store/ledger.schema.js';
import type { Clock } from './clock.js';

// What resources looked like a while ago, for reads that lag behind (the fault `read_lag`).
// A copy is taken whenever a change enters the ledger. Not saved: what was there at the start was always so.
export interface Past {
  /** A resource has just become what it is now. @param isNew before this it was not there. */
  note(resourceType: string, uid: string, isNew: boolean): void;
  /** Reads as at that time: meanwhile the tables of the store are those of then. `read` must be synchronous. */
  asOf<T>(atMs: number, read: () => T): T;
}

interface Snapshot<Value> {
  atMs: number;
  isNew: boolean;
  value: Value;
}

interface Shelf {
  note(uid: string, atMs: number, isNew: boolean): void;
  /** Puts the table of then in place, and returns what puts the present one back. */
  swap(atMs: number): () => void;
}

export function createPast(store: Store, clock: Clock): Past {
  const shelves: Record<string, Shelf> = {
    payto_agreement: shelfOf(
      () => store.agreements,
      (table) => (store.agreements = table),
    ),
    payto_payment: shelfOf(
      () => store.payments,
      (table) => (store.payments = table),
    ),
    payto_refund: shelfOf(
      () => store.refunds,
      (table) => (store.refunds = table),
    ),
    client: shelfOf(
      () => store.clients,
      (table) => (store.clients = table),
    ),
    events: eventShelf(store),
  };
  return {
    note(resourceType, uid, isNew) {
      // An amendment or a pending action is part of its agreement: noted by its own name, under the agreement's uid.
      const isPart = resourceType.startsWith('payto_agreement_');
      const shelf = shelves[isPart ? 'payto_agreement' : resourceType];
      shelf?.note(uid, clock.now(), isNew && !isPart);
    },
    asOf(atMs, read) {
      const back = Object.values(shelves).map((shelf) => shelf.swap(atMs));
      try {
        return read();
      } finally {
        for (const putBack of back) putBack();
      }
    },
  };
}

function shelfOf<Value>(table: () => Map<string, Value>, put: (table: Map<string, Value>) => void): Shelf {
  // By table: a reset brings new ones, and what was known of the old ones goes with them.
  const kept = new WeakMap<Map<string, Value>, Map<string, Snapshot<Value>[]>>();
  return {
    note(uid, atMs, isNew) {
      const value = table().get(uid);
      if (value === undefined) return;
      const snapshots = kept.get(table()) ?? new Map<string, Snapshot<Value>[]>();
      kept.set(table(), snapshots);
      const recent = withinReach(snapshots.get(uid) ?? [], atMs);
      snapshots.set(uid, [...recent, { atMs, isNew, value: structuredClone(value) }]);
    },
    swap(atMs) {
      const present = table();
      const snapshots = kept.get(present);
      const rows = [...present].flatMap(([uid, value]): [string, Value][] => {
        const [then] = valueAt(snapshots?.get(uid), value, atMs);
        return then === undefined ? [] : [[uid, then]];
      });
      put(new Map(rows));
      return () => {
        put(present);
      };
    },
  };
}

/** Without what no lag reaches any more: the last of those is kept, it is what the longest lag sees. */
function withinReach<Value>(snapshots: Snapshot<Value>[], nowMs: number): Snapshot<Value>[] {
  const outOfReach = snapshots.findLastIndex(({ atMs }) => atMs <= nowMs - LONGEST_LAG_SECONDS * 1000);
  return snapshots.slice(Math.max(outOfReach, 0));
}

/** The value of then, in a list: empty where it was not there yet. */
function valueAt<Value>(snapshots: Snapshot<Value>[] | undefined, present: Value, atMs: number): Value[] {
  const [oldest] = snapshots ?? [];
  if (oldest === undefined) return [present];
  const last = snapshots?.findLast((snapshot) => snapshot.atMs <= atMs);
  if (last !== undefined) return [last.value];
  // Older than anything noted: it was not there, or as the oldest note has it.
  return oldest.isNew ? [] : [oldest.value];
}

/** Events carry the time of their publication. */
function eventShelf(store: Store): Shelf {
  return {
    note: () => undefined,
    swap(atMs) {
      const present = store.events;
      const wasPublished = ({ published_at }: { published_at: string }): boolean =>
        Date.parse(published_at) <= atMs;
      store.events = new Map([...present].map(([uid, events]) => [uid, events.filter(wasPublished)]));
      return () => {
        store.events = present;
      };
    },
  };
}

// The ground truth: an append-only list of what was called, what changed and what was sent. Never a secret.
export interface Ledger {
  /** To be called once the resource is what it has become: the past is kept from here. */
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
