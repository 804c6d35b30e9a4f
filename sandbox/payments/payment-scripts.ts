// How the next submissions of a payment will go: what the control routes said, or else what the body asked for.
import type { Engine } from '../engine.js';
import type { PaymentScript, PaymentSimulation } from './payment.schema.js';
import { refuse } from '../http/refusal.js';

/**
 * For all submissions to come, until it is set anew: the first, where the payment does not exist yet, and retries.
 * @throws Refusal 409 while a submission is under way or once the payment has settled.
 */
export function scriptPayment({ store }: Engine, uid: string, script: PaymentScript): void {
  const state = store.payments.get(uid)?.state ?? 'failed';
  if (state !== 'failed') throw refuse(409, 'Too late', `Payment ${uid} exists already and is ${state}`);
  store.paymentScripts.set(uid, script);
  store.touch();
}

/** What the control routes said wins over the `sandbox` field of the request. */
export function scriptFor(
  { store }: Engine,
  uid: string,
  asked: { simulate?: PaymentSimulation | undefined; delay?: number | undefined } = {},
): PaymentScript {
  const { simulate = 'auto_settle', delay = 0 } = asked;
  return store.paymentScripts.get(uid) ?? { simulate, delay };
}
