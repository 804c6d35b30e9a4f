// Everything the sandbox remembers, in memory. It also knows how to become a document and how to be read back.
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

// What the provider keeps of the checks on an alias or an account before an agreement.
export const CHECK_TABLES = {
  /** When there was one, in milliseconds, oldest first: by whom or from where it was asked for. Of the last day alone. */
  checkTimes: tableOf(z.array(z.number())),
  /** By its uid, how an account validation ended: its result, or the code it was refused with. */
  accountValidations: tableOf(z.string()),
};

// Something that happens at a time on the sandbox's clock. Data, so that it survives a restart.
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

/** A saved store; read back, its tables are maps. */
export const StoreDocument = z.object({
  format: z.literal('sandbox-store-4'),
  /** How far the sandbox's clock is ahead of the wall clock. */
  offsetMs: z.number(),
  account: Account,
  ...TABLES,
  faults: z.array(Fault),
  /** Decides, with a rule's number, which calls a share meets. */
  faultSeed: z.string(),
  /** Since the faults were last cleared. */
  faultsAdded: z.int(),
  /** In the order in which they come due. */
  tasks: z.array(Task),
  ledger: z.array(LedgerEntry),
});
export type StoreDocument = z.output<typeof StoreDocument>;

export interface Store extends Omit<StoreDocument, 'format'> {
  /** To be called after a change, so that it is saved where saving is asked for. */
  touch(): void;
  onTouch(listener: () => void): void;
  /** Forgets everything but the seed, which then counts from its beginning. */
  clear(): void;
}

const empty = (): StoreDocument =>
  StoreDocument.parse({
    ...Object.fromEntries(Object.keys(TABLES).map((table) => [table, []])),
    format: 'sandbox-store-4',
    offsetMs: 0,
    account: newAccount(),
    faults: [],
    faultSeed: randomBytes(4).toString('hex'),
    faultsAdded: 0,
    tasks: [],
    ledger: [],
  });

/** @param document a saved store as it was read back; it is used as it is, not copied. */
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

/** What `StoreDocument` reads back, once it has been through JSON. */
export function toDocument(store: Store): object {
  const keys = Object.keys(StoreDocument.shape);
  return { ...Object.fromEntries(keys.map((key) => [key, plain(store, key)])), format: 'sandbox-store-4' };
}

function plain(store: Store, key: string): unknown {
  const value: unknown = Reflect.get(store, key);
  return value instanceof Map ? [...value] : value;
}
