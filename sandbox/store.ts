// Everything the sandbox remembers, in memory. It also knows how to become a document and how to be read back.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Account, newAccount } from './account.schema.js';
import { AGREEMENT_TABLES } from './agreements/agreement.schema.js';
import { CHECK_TABLES } from './checks/check.schema.js';
import { CLIENT_TABLES } from './clients/client.schema.js';
import { Fault } from './faults/fault.schema.js';
import { FLOAT_TABLES } from './float-accounts/float-account.schema.js';
import { LedgerEntry } from './ledger.schema.js';
import { OAUTH_TABLES } from './oauth/oauth.schema.js';
import { PAYMENT_TABLES } from './payments/payment.schema.js';
import { REFUND_TABLES } from './refunds/refund.schema.js';
import { Task } from './time/task.schema.js';
import { WEBHOOK_TABLES } from './webhooks/webhook.schema.js';

const TABLES = {
  ...AGREEMENT_TABLES,
  ...PAYMENT_TABLES,
  ...REFUND_TABLES,
  ...CLIENT_TABLES,
  ...CHECK_TABLES,
  ...FLOAT_TABLES,
  ...WEBHOOK_TABLES,
  ...OAUTH_TABLES,
};

/** A saved store; read back, its tables are maps. */
export const StoreDocument = z.object({
  format: z.literal('sandbox-store-3'),
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
    format: 'sandbox-store-3',
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
  return { ...Object.fromEntries(keys.map((key) => [key, plain(store, key)])), format: 'sandbox-store-3' };
}

function plain(store: Store, key: string): unknown {
  const value: unknown = Reflect.get(store, key);
  return value instanceof Map ? [...value] : value;
}
