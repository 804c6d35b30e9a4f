// Admission of a payment under an agreement: judged, noted in the ledger and handed to its own workflow in one task.
import { repeatOfPayment } from '../../domain/commands/repeat.js';
import { refusalOf } from '../../domain/terms/judge.js';
import { judgementOf } from '../../domain/terms/judgement.js';
import {
  AGREEMENT_UID,
  AWAITING,
  AWAITING_SINCE,
  CONNECTION_ID,
  PAYMENT_STATE,
  REQUESTED_AT,
} from '../entity/search-attributes.js';
import { refused } from '../entity/engine/refusal.js';
import { PAYMENT_WORKFLOW, paymentWorkflowId } from '../entity/signals.js';
import { recordKey, addPayment, dropPayment } from './ledger.js';
import { termsStatusOf } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { StateStore } from '../entity/engine/reconcile.js';
import type { Child, Runtime } from '../entity/engine/runtime.js';
import type { PaymentInput } from '../payment/contract.js';
import type { AgreementAnswer } from '../../domain/terms/judgement.js';
import type { PaymentAdmitted, PaymentAsk, PaymentRequest, Refused } from './contract.js';
import type { AgreementState } from './state.js';

/** Why it is not admitted; nothing where it may be, and where it was before. */
export function refusalOfRequest(
  state: AgreementState,
  request: PaymentRequest,
  now: Instant,
): Refused | undefined {
  const { uid, order } = request;
  switch (repeatOfPayment(state, request)) {
    case 'same':
      return undefined;
    case 'other':
      return conflictError(`Payment ${uid} was asked for before with other particulars.`);
    case 'other_key':
      return { code: 'payment_key_conflict', detail: 'This key was used before, for something else.' };
    case 'none':
      return refusalOf(termsStatusOf(state), order, now);
  }
}

/** Judged anew, as the agreement stands now, without what was admitted after it. Null while it is not certain how it stands. */
export function permissionFor(
  state: AgreementState,
  { order, at, ...asking }: PaymentAsk,
): AgreementAnswer | null {
  const status = termsStatusOf(state, asking);
  const refusal = refusalOf(status, order, at);
  if (refusal === undefined) return { judged: judgementOf(status, at) };
  const { code, detail } = refusal;
  return code === 'agreement_held' || status.isInDoubt || status.isContested
    ? null
    : { refusal: { code, detail } };
}

/**
 * Refuses, writing nothing, what the agreement does not allow.
 * @throws ApplicationFailure whose type is the refusal's code, with the rest of the refusal as its first detail.
 */
export function validatePayment(state: AgreementState, request: PaymentRequest, now: Instant): void {
  const refusal = refusalOfRequest(state, request, now);
  if (refusal !== undefined) throw refusalError(refusal);
}

const refusalError = ({ code, detail, ...rest }: Refused) => refused(code, detail, rest);

const conflictError = (detail: string): Refused => ({
  code: 'payment_uid_conflict',
  detail,
  pointer: '/uid',
});

/** Notes the payment and starts its workflow. A repeat of one that was admitted starts nothing. */
export async function startPayment(
  { read, update }: StateStore<AgreementState>,
  { now, startChild }: Pick<Runtime, 'now' | 'startChild'>,
  request: PaymentRequest,
): Promise<PaymentAdmitted> {
  const { uid, order, handling, use, nonce, by: requestedBy, reportTo } = request;
  const { connectionId, ledger, keys } = read();
  if (repeatOfPayment({ ledger, keys }, request) !== 'none') {
    update((state) => recordKey(state, use));
    return { uid, fresh: false, nonce };
  }
  const isLast = order.last_payment === true ? ({ isLast: true } as const) : {};
  const judged = judgementOf(termsStatusOf(read()), now());
  const entry = { uid, amount: order.amount, requestedAt: now(), order, ...isLast };
  update((state) => recordKey(addPayment(state, entry), use));
  const isStarted = await startChild(
    childOf(
      { uid, connectionId, order, handling, judged, requestedBy, reportTo },
      order.agreement_uid,
      now(),
    ),
  );
  if (isStarted) return { uid, fresh: true, nonce };
  update((state) => dropPayment(state, uid));
  throw refusalError(conflictError(`Payment ${uid} exists already, under another agreement.`));
}

export const childOf = (input: PaymentInput, agreementUid: string, now: string): Child => ({
  workflow: PAYMENT_WORKFLOW,
  workflowId: paymentWorkflowId(input.uid),
  input: { ...input, requestedAt: now },
  summary: `payment under agreement ${agreementUid}`,
  attributes: [
    { key: PAYMENT_STATE, value: 'requested' },
    { key: AGREEMENT_UID, value: agreementUid },
    { key: AWAITING, value: 'provider-acceptance' },
    { key: AWAITING_SINCE, value: new Date(now) },
    { key: REQUESTED_AT, value: new Date(now) },
    ...(input.connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: input.connectionId }]),
  ],
});
