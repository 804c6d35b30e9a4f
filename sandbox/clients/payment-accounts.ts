// The accounts of registered counterparties, as agreements refer to them.
import type { Engine } from '../engine.js';
import type { PaymentAccount } from './counterparty.schema.js';

/** Undefined where no counterparty has an account of that uid. Its uid, counterparty and account never change. */
export function paymentAccount({ store }: Engine, uid: string): PaymentAccount | undefined {
  return store.paymentAccounts.get(uid);
}
