// The in-memory store of the sandbox, and its conversion to and from a document.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '../faults/rule.schema.js';
import { Account, newAccount } from './account.schema.js';
import { AGREEMENT_TASKS, AGREEMENT_TABLES } from './agreement.schema.js';
import { CLIENT_TASKS, CLIENT_TABLES } from './client.schema.js';
import { DISPUTE_TABLES, DISPUTE_TASKS } from './dispute.schema.js';
import { tableOf } from './entities.schema.js';
import { FLOAT_TABLES } from './float-account.schema.js';
import { OAUTH_TABLES } from './grant.schema.js';
import { LedgerEntry } from './ledger.schema.js';
import { PAYMENT_TASKS, PAYMENT_TABLES } from './payment.schema.js';
import { REFUND_TASKS, REFUND_TABLES } from './refund.schema.js';
import { WEBHOOK_TASKS, WEBHOOK_TABLES } from './webhook.schema.js';

// The provider's records of alias look-ups and account validations.
const CHECK_TABLES = {
  /** The times of the last day's checks in milliseconds, oldest first, by limit key. */
  checkTimes: tableOf(z.array(z.number())),
  /** The outcome of each account validation by uid: its result, or the code of its refusal. */
  accountValidations: tableOf(z.string()),
};

// A task that is due at a time on the sandbox's clock. Stored as data, so that it survives a restart.
export const Task = z.object({
  due_at: z.number(),
  kind: z.enum([
    ...AGREEMENT_TASKS,
    ...PAYMENT_TASKS,
    ...REFUND_TASKS,
    ...CLIENT_TASKS,
    ...WEBHOOK_TASKS,
    ...DISPUTE_TASKS,
  ]),
  uid: z.string(),
});
export type Task = z.output<typeof Task>;
export type TaskKind = Task['kind'];

const TABLES = {
  ...AGREEMENT_TABLES,
  ...PAYMENT_TABLES,
  ...REFUND_TABLES,
  ...CLIENT_TABLES,
  ...CHECK_TABLES,
  ...FLOAT_TABLES,
  ...DISPUTE_TABLES,
  ...WEBHOOK_TABLES,
  ...OAUTH_TABLES,
};

/** A saved store. Parsing turns its tables into maps. */
export const StoreDocument = z.object({
  format: z.literal('sandbox-store-4'),
  /** How far the sandbox's clock is ahead of the wall clock. */
  offsetMs: z.number(),
  account: Account,
  ...TABLES,
  /** Uids that the settlement report leaves out. */
  unreported: z.array(z.string()),
  faults: z.array(Fault),
  /** With a rule's number, decides which calls a share affects. */
  faultSeed: z.string(),
  /** Counted since the faults were last cleared. */
  faultsAdded: z.int(),
  /** In the order of their due times. */
  tasks: z.array(Task),
  ledger: z.array(LedgerEntry),
});
export type StoreDocument = z.output<typeof StoreDocument>;

export interface Store extends Omit<StoreDocument, 'format'> {
  /** Call after each change, so that the store is saved if a data file is configured. */
  touch(): void;
  onTouch(listener: () => void): void;
  /** Deletes everything except the seed, whose draws restart. */
  clear(): void;
}

const empty = (): StoreDocument =>
  StoreDocument.parse({
    ...Object.fromEntries(Object.keys(TABLES).map((table) => [table, []])),
    format: 'sandbox-store-4',
    offsetMs: 0,
    account: newAccount(),
    unreported: [],
    faults: [],
    faultSeed: randomBytes(4).toString('hex'),
    faultsAdded: 0,
    tasks: [],
    ledger: [],
  });

/** @param document a saved store. It is used directly, not copied. */
export function createStore(document: StoreDocument = empty()): Store {
  const listeners: (() => void)[] = [];
  const store: Store = {
    ...document,
    touch() {
      for (const listener of listeners) listener();
    },
    onTouch(listener) {
      listeners.push(listener);
    },
    clear() {
      Object.assign(store, { ...empty(), faultSeed: store.faultSeed });
      store.touch();
    },
  };
  return store;
}

/** The store as an object that `StoreDocument` can parse after a round trip through JSON. */
export function toDocument(store: Store): object {
  const keys = Object.keys(StoreDocument.shape);
  return { ...Object.fromEntries(keys.map((key) => [key, plain(store, key)])), format: 'sandbox-store-4' };
}

function plain(store: Store, key: string): unknown {
  const value: unknown = Reflect.get(store, key);
  return value instanceof Map ? [...value] : value;
}
