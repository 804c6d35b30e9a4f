// Admission of a payment under an agreement: judged, noted in the ledger and handed to its own workflow in one task.
import { refusalOf } from '../../domain/admission.js';
import { repeatOfPayment } from '../../domain/repeat.js';
import {
  AGREEMENT_UID,
  AWAITING,
  AWAITING_SINCE,
  CONNECTION_ID,
  PAYMENT_STATE,
} from '../entity/search-attributes.js';
import { refused } from '../entity/refusal.js';
import { PAYMENT_WORKFLOW, paymentWorkflowId } from '../payment/contract.js';
import { withKey, withPayment, withoutPayment } from './ledger.js';
import { standingOf } from './state.js';
import type { Cell } from '../entity/loop.js';
import type { Child, Runtime } from '../entity/runtime.js';
import type { PaymentInput } from '../payment/contract.js';
import type { PaymentAdmitted, PaymentRequest } from './contract.js';
import type { State } from './state.js';

/**
 * Refuses, writing nothing, what the agreement does not allow. What was admitted before is always let through.
 * @throws ApplicationFailure whose type is the refusal's code, with `{ pointer? }` as its first detail.
 */
export function assertAdmissible(state: State, request: PaymentRequest): void {
  const { uid, order } = request;
  switch (repeatOfPayment(state, request)) {
    case 'same':
      return;
    case 'other':
      throw conflicting(`Payment ${uid} was asked for before with other particulars.`);
    case 'other_key':
      throw refused('payment_key_conflict', 'This key was used before, for something else.');
    case 'none': {
      const refusal = refusalOf(standingOf(state), order);
      if (refusal !== undefined) throw refused(refusal.code, refusal.detail, { pointer: refusal.pointer });
    }
  }
}

/** Notes the payment and starts its workflow. A repeat of one that was admitted starts nothing. */
export async function startPayment(
  { read, change }: Cell<State>,
  { now, startChild }: Pick<Runtime, 'now' | 'startChild'>,
  request: PaymentRequest,
): Promise<PaymentAdmitted> {
  const { uid, order, handling, use, nonce } = request;
  const { connectionId, ledger, keys } = read();
  if (repeatOfPayment({ ledger, keys }, request) !== 'none') {
    change((known) => withKey(known, use));
    return { uid, fresh: false, nonce };
  }
  const entry = { uid, amount: order.amount, requestedAt: now(), order };
  change((known) => withKey(withPayment(known, entry), use));
  const isStarted = await startChild(
    childOf({ uid, connectionId, order, handling }, order.agreement_uid, now()),
  );
  if (isStarted) return { uid, fresh: true, nonce };
  change((known) => withoutPayment(known, uid));
  throw conflicting(`Payment ${uid} exists already, under another agreement.`);
}

const conflicting = (detail: string) => refused('payment_uid_conflict', detail, { pointer: '/uid' });

const childOf = (input: PaymentInput, agreementUid: string, now: string): Child => ({
  workflow: PAYMENT_WORKFLOW,
  workflowId: paymentWorkflowId(input.uid),
  input,
  summary: `payment under agreement ${agreementUid}`,
  attributes: [
    { key: PAYMENT_STATE, value: 'requested' },
    { key: AGREEMENT_UID, value: agreementUid },
    { key: AWAITING, value: 'provider-acceptance' },
    { key: AWAITING_SINCE, value: new Date(now) },
    ...(input.connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: input.connectionId }]),
  ],
});
