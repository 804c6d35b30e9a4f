// Everything the sandbox remembers, in memory. It also knows how to become a document and how to be read back.
import { z } from 'zod';
import { Agreement, Payment, PayerScript, PaymentScript, PublishedEvent } from './entities.schema.js';
import { AuthorisationCode, Delivery, Fault, Grant, LedgerEntry, Task, Token } from './machinery.schema.js';

// Maps, not records: a uid may be `__proto__`.
const mapOf = <Value extends z.ZodType>(value: Value) => z.array(z.tuple([z.string(), value]));

export const StoreDocument = z.object({
  format: z.literal('sandbox-store-1'),
  offset_ms: z.number(),
  agreements: mapOf(Agreement),
  payments: mapOf(Payment),
  events: mapOf(z.array(PublishedEvent)),
  grants: mapOf(Grant),
  codes: mapOf(AuthorisationCode),
  tokens: mapOf(Token),
  payer_scripts: mapOf(PayerScript),
  payment_scripts: mapOf(PaymentScript),
  deliveries: mapOf(Delivery),
  faults: z.array(Fault),
  tasks: z.array(Task),
  ledger: z.array(LedgerEntry),
});
export type StoreDocument = z.output<typeof StoreDocument>;

export interface Store {
  /** How far the sandbox's clock is ahead of the wall clock. */
  offsetMs: number;
  agreements: Map<string, Agreement>;
  payments: Map<string, Payment>;
  /** Keyed by resource uid, agreements only, oldest first. */
  events: Map<string, PublishedEvent[]>;
  grants: Map<string, Grant>;
  codes: Map<string, AuthorisationCode>;
  tokens: Map<string, Token>;
  payerScripts: Map<string, PayerScript>;
  paymentScripts: Map<string, PaymentScript>;
  deliveries: Map<string, Delivery>;
  faults: Fault[];
  /** In the order in which they come due. */
  tasks: Task[];
  ledger: LedgerEntry[];
  /** To be called after a change, so that it is saved where saving is asked for. */
  touch(): void;
  onTouch(listener: () => void): void;
  clear(): void;
}

const EMPTY: StoreDocument = {
  format: 'sandbox-store-1',
  offset_ms: 0,
  agreements: [],
  payments: [],
  events: [],
  grants: [],
  codes: [],
  tokens: [],
  payer_scripts: [],
  payment_scripts: [],
  deliveries: [],
  faults: [],
  tasks: [],
  ledger: [],
};

function contentsOf(document: StoreDocument): Omit<Store, 'touch' | 'onTouch' | 'clear'> {
  return {
    offsetMs: document.offset_ms,
    agreements: new Map(document.agreements),
    payments: new Map(document.payments),
    events: new Map(document.events),
    grants: new Map(document.grants),
    codes: new Map(document.codes),
    tokens: new Map(document.tokens),
    payerScripts: new Map(document.payer_scripts),
    paymentScripts: new Map(document.payment_scripts),
    deliveries: new Map(document.deliveries),
    faults: [...document.faults],
    tasks: [...document.tasks],
    ledger: [...document.ledger],
  };
}

export function createStore(document: StoreDocument = EMPTY): Store {
  const listeners: (() => void)[] = [];
  const store: Store = {
    ...contentsOf(document),
    touch() {
      for (const listener of listeners) listener();
    },
    onTouch(listener) {
      listeners.push(listener);
    },
    clear() {
      Object.assign(store, contentsOf(EMPTY));
      store.touch();
    },
  };
  return store;
}

export function toDocument(store: Store): StoreDocument {
  return {
    format: 'sandbox-store-1',
    offset_ms: store.offsetMs,
    agreements: [...store.agreements],
    payments: [...store.payments],
    events: [...store.events],
    grants: [...store.grants],
    codes: [...store.codes],
    tokens: [...store.tokens],
    payer_scripts: [...store.payerScripts],
    payment_scripts: [...store.paymentScripts],
    deliveries: [...store.deliveries],
    faults: store.faults,
    tasks: store.tasks,
    ledger: store.ledger,
  };
}
