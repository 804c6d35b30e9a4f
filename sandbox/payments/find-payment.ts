// A payment by its uid, or the 404 for there being none.
import { refuse } from '../http/refusal.js';
import type { Engine } from '../engine.js';
import type { Payment } from './payment.schema.js';

export function findPayment({ store }: Engine, uid: string): Payment {
  const payment = store.payments.get(uid);
  if (payment !== undefined) return payment;
  throw refuse(404, 'Not Found', `There is no payment with uid ${uid}`);
}
