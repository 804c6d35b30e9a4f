// The ledger, and past versions of resources.
import { LONGEST_LAG_SECONDS } from '../faults/actions.schema.js';
import type { Store } from '../store/document.js';
import type { LedgerEntry, LedgerFact } from '../store/ledger.schema.js';
import type { Clock } from './clock.js';

// Past versions of resources, for reads with the `read_lag` fault. Each change in the ledger takes a copy. Copies are not saved:
// after a restart, the loaded state also counts as the past.
export type Past = ReturnType<typeof createPast>;

interface Snapshot<Value> {
  atMs: number;
  isNew: boolean;
  value: Value;
}

interface Shelf {
  note(uid: string, atMs: number, isNew: boolean): void;
  /** Replaces the table by its past version. Returns a function that restores it. */
  swap(atMs: number): () => void;
}

export function createPast(store: Store, clock: Clock) {
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
    /** Call after a change. @param isNew whether the resource was just created. */
    note(resourceType: string, uid: string, isNew: boolean): void {
      // An amendment or a pending action is part of its agreement. It has its own type but the agreement's uid.
      const isPart = resourceType.startsWith('payto_agreement_');
      const shelf = shelves[isPart ? 'payto_agreement' : resourceType];
      shelf?.note(uid, clock.now(), isNew && !isPart);
    },
    /** Runs `read` with the store's tables as of this time. `read` must be synchronous. */
    asOf<T>(atMs: number, read: () => T): T {
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
  // Keyed by table: a reset creates new tables, so the snapshots of the old ones are discarded.
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

/** Drops snapshots older than the longest lag, except the latest of them, which the longest lag still reads. */
function withinReach<Value>(snapshots: Snapshot<Value>[], nowMs: number): Snapshot<Value>[] {
  const outOfReach = snapshots.findLastIndex(({ atMs }) => atMs <= nowMs - LONGEST_LAG_SECONDS * 1000);
  return snapshots.slice(Math.max(outOfReach, 0));
}

/** The past value as a list, which is empty if the resource did not exist yet. */
function valueAt<Value>(snapshots: Snapshot<Value>[] | undefined, present: Value, atMs: number): Value[] {
  const [oldest] = snapshots ?? [];
  if (oldest === undefined) return [present];
  const last = snapshots?.findLast((snapshot) => snapshot.atMs <= atMs);
  if (last !== undefined) return [last.value];
  // Older than all snapshots: the resource did not exist yet, or was as in the oldest snapshot.
  return oldest.isNew ? [] : [oldest.value];
}

/** Events need no snapshots, because they contain their publication time. */
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

// The ledger: an append-only record of calls, changes and webhooks. It contains no secrets.
export type Ledger = ReturnType<typeof createLedger>;

export function createLedger(store: Store, clock: Clock, past: Past) {
  return {
    /** Call after the change, because it also takes the snapshot for `Past`. */
    append(fact: LedgerFact): void {
      store.ledger.push({ seq: store.ledger.length + 1, at: clock.iso(), ...fact });
      if (fact.kind === 'change') past.note(fact.resource_type, fact.resource_uid, fact.from === null);
      store.touch();
    },
    /** The entries after `seq`, oldest first. */
    since: (seq: number): LedgerEntry[] => store.ledger.slice(seq),
  };
}
