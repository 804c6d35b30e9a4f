// Admits a payment under an agreement: judges it, adds it to the ledger and starts its workflow in one workflow task.
import { freeUse, recordUse, repeatOfUse } from '../../domain/commands/key-use.js';
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
import { addPayment, dropPayment } from './ledger.js';
import { termsStatusOf } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { StateStore } from '../entity/engine/reconcile.js';
import type { Child, Runtime } from '../entity/engine/runtime.js';
import type { PaymentInput } from '../payment/contract.js';
import type { AgreementAnswer } from '../../domain/terms/judgement.js';
import type { Judged, PaymentAdmitted, PaymentAsk, PaymentRequest, Refused } from './contract.js';
import type { AgreementState } from './state.js';

/** How it was requested before: with the same key and body, or under the same uid. For a uid, the caller compares it with the payment. */
function repeatOf(state: AgreementState, { uid, use }: PaymentRequest): PaymentAdmitted['repeatOf'] {
  if (repeatOfUse(state, use) === 'same') return 'key';
  return state.ledger.some((entry) => entry.uid === uid) ? 'uid' : undefined;
}

/** Judges a request. The result says why it is refused or how it was requested before. It is empty if the payment would be admitted. */
export function judgeRequest(state: AgreementState, request: PaymentRequest, now: Instant): Judged {
  if (repeatOfUse(state, request.use) === 'other')
    return {
      refusal: {
        code: 'payment_key_conflict',
        detail: 'This key was already used for a different request. Use a new key.',
      },
    };
  const before = repeatOf(state, request);
  return before === undefined
    ? { refusal: refusalOf(termsStatusOf(state), request.order, now) }
    : { repeatOf: before };
}

/** Judges a payment again under the current state, ignoring payments admitted after it. Null while the state is in doubt. */
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
 * Refuses a payment that the agreement does not allow.
 * @throws ApplicationFailure whose type is the refusal's code. Its first detail has the rest of the refusal.
 */
export function validatePayment(state: AgreementState, request: PaymentRequest, now: Instant): void {
  const { refusal } = judgeRequest(state, request, now);
  if (refusal !== undefined) throw refusalError(refusal);
}

const refusalError = ({ code, detail, ...rest }: Refused) => refused(code, detail, rest);

const conflictError = (detail: string): Refused => ({
  code: 'payment_uid_conflict',
  detail,
  pointer: '/uid',
});

/** Adds the payment to the ledger and starts its workflow. A repeat starts nothing. */
export async function startPayment(
  { read, update }: StateStore<AgreementState>,
  { now, startChild, scope }: Pick<Runtime, 'now' | 'startChild' | 'scope'>,
  request: PaymentRequest,
): Promise<PaymentAdmitted> {
  const { uid, order, handling, use, by: requestedBy, reportTo } = request;
  const { connectionId, ledger } = read();
  const before = repeatOf(read(), request);
  if (before !== undefined) {
    const requestedAt = ledger.find((entry) => entry.uid === uid)?.requestedAt;
    return { uid, connectionId, requestedAt, repeatOf: before };
  }
  const isLast = order.last_payment === true ? ({ isLast: true } as const) : {};
  const requestedAt = now();
  const judged = judgementOf(termsStatusOf(read()), requestedAt);
  const entry = { uid, amount: order.amount, requestedAt, ...isLast };
  update((state) => recordUse(addPayment(state, entry), use));
  const input = { uid, connectionId, order, handling, judged, requestedBy, reportTo };
  if (await startChild(childOf(input, order.agreement_uid, requestedAt)))
    return { uid, connectionId, requestedAt };
  const admitted = await scope().call.findAdmitted({ kind: 'payment', uid });
  if (admitted?.of === read().uid) {
    // This run was reset and lost the payment. The amount and time of the existing payment apply.
    const found = { uid, amount: admitted.amount, requestedAt: admitted.requestedAt };
    update((state) => freeUse(addPayment(dropPayment(state, uid), found), use));
    return { uid, connectionId, requestedAt: admitted.requestedAt, repeatOf: 'uid' };
  }
  update((state) => freeUse(dropPayment(state, uid), use));
  throw refusalError(
    conflictError(`Payment ${uid} already exists under another agreement. Use another uid.`),
  );
}

export const childOf = (input: PaymentInput, agreementUid: string, now: string): Child => ({
  workflow: PAYMENT_WORKFLOW,
  workflowId: paymentWorkflowId(input.uid),
  input: { ...input, requestedAt: now },
  summary: `Payment under agreement ${agreementUid}`,
  attributes: [
    { key: PAYMENT_STATE, value: 'requested' },
    { key: AGREEMENT_UID, value: agreementUid },
    { key: AWAITING, value: 'provider-acceptance' },
    { key: AWAITING_SINCE, value: new Date(now) },
    { key: REQUESTED_AT, value: new Date(now) },
    ...(input.connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: input.connectionId }]),
  ],
});
