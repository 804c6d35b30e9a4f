// Resources by uid, or the 404 for there being none.
import type { Engine } from './engine.js';
import type { Agreement, Payment } from './entities.schema.js';
import { refuse } from './refusal.js';

export function findAgreement({ store }: Engine, uid: string): Agreement {
  const agreement = store.agreements.get(uid);
  if (agreement !== undefined) return agreement;
  throw refuse(404, 'Not Found', `There is no agreement with uid ${uid}`);
}

export function findPayment({ store }: Engine, uid: string): Payment {
  const payment = store.payments.get(uid);
  if (payment !== undefined) return payment;
  throw refuse(404, 'Not Found', `There is no payment with uid ${uid}`);
}
