// Admits the retry of a failed payment: judges it and counts it as in flight, in one workflow task. So of two retries at once, the second is
// judged after the first.
import { markRetryAdmitted } from './ledger.js';
import { permissionFor } from './payments.js';
import type { AgreementAnswer } from '../../domain/terms/judgement.js';
import type { StateStore } from '../engine/reconcile.js';
import type { Runtime } from '../engine/runtime.js';
import type { PaymentAsk } from './contract.js';
import type { AgreementState } from './state.js';

/** Repeating it is harmless: a retry does not count against itself. Null while the state is in doubt. */
export function admitRetry(
  { read, update }: StateStore<AgreementState>,
  { now }: Pick<Runtime, 'now'>,
  ask: Omit<PaymentAsk, 'at' | 'isRetry'>,
): AgreementAnswer | null {
  const at = now();
  const answer = permissionFor(read(), { ...ask, isRetry: true, at });
  const { uid, order } = ask;
  if (answer !== null && 'judged' in answer)
    update((state) => markRetryAdmitted(state, { uid, amount: order.amount, at }));
  return answer;
}
