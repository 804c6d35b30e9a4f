// The refunds of a payment: admitted by it alone, so that all together are never more than it, each noted here and handed to its own workflow
// in one task. Plain JSON and pure.
import { isSame } from '../../domain/commands/differences.js';
import { freeUse, recordUse } from '../../domain/commands/key-use.js';
import { refundUidConflict, refusalOfRefund, repeatOfRefund } from '../../domain/refund/lifecycle.js';
import { refused } from '../entity/engine/refusal.js';
import {
  AWAITING,
  AWAITING_SINCE,
  CONNECTION_ID,
  REFUND_STATE,
  REQUESTED_AT,
} from '../entity/search-attributes.js';
import { refundWorkflowId } from '../entity/signals.js';
import { REFUND_WORKFLOW } from '../refund/contract.js';
import { isUnproven } from '../entity/resource/others.js';
import { stateOf } from './state.js';
import type { Admitted } from '../../activities/temporal/runs.js';
import type { Instant } from '../../domain/facts/fact.js';
import type {
  RefundEntry,
  RefundRefusal,
  RefundReport,
  RefundRequest,
} from '../../domain/refund/lifecycle.js';
import type { StateStore } from '../entity/engine/reconcile.js';
import type { Child, Runtime } from '../entity/engine/runtime.js';
import type { RefundInput } from '../refund/contract.js';
import type { RefundAdmitted } from './contract.js';
import type { PaymentState } from './state.js';

const refundsOf = ({ refunds = [] }: PaymentState): RefundEntry[] => refunds;

/** @throws ApplicationFailure whose type is a `RefundRefusalCode`, with the field as its first detail. A repeat is let through. */
export function validateRefund(state: PaymentState, request: RefundRequest): void {
  const { order, uses } = state;
  const status = { state: statusOf(state), amount: order?.amount, refunds: refundsOf(state), uses };
  const refusal = refusalOfRefund(status, request);
  if (refusal !== undefined) throw refusalError(refusal);
}

/** What is only being adopted has not been shown by the provider yet, and of what is or may be another's nothing is ours to give back. */
const statusOf = (state: PaymentState): ReturnType<typeof stateOf> | 'unknown' =>
  state.submission.stage === 'open' && state.isAnothers !== true && !isUnproven(state)
    ? stateOf(state)
    : 'unknown';

const refusalError = ({ code, detail, pointer }: RefundRefusal) => refused(code, detail, { pointer });

/** Notes the refund and starts its workflow. A repeat of one that was admitted starts nothing. */
export async function startRefund(
  { read, update }: StateStore<PaymentState>,
  { now, startChild, scope }: Pick<Runtime, 'now' | 'startChild' | 'scope'>,
  request: RefundRequest,
): Promise<RefundAdmitted> {
  const { uid, order, use, by: requestedBy } = request;
  const { uid: paymentUid, connectionId, uses } = read();
  const refunds = refundsOf(read());
  if (repeatOfRefund({ refunds, uses }, request) !== 'none') {
    const requestedAt = refunds.find((one) => one.uid === uid)?.requestedAt;
    return { uid, connectionId, requestedAt, isRepeat: true };
  }
  const requestedAt = now();
  const { amount } = order.refund_payment;
  const entry: RefundEntry = {
    ...{ uid, amount, order, requestedAt, requestedBy },
    ...{ outcome: 'under_way', outcomeAt: requestedAt },
  };
  update((state) => recordUse({ ...state, refunds: [...refundsOf(state), entry] }, use));
  if (await startChild(childOf({ uid, connectionId, order, requestedBy }, paymentUid, requestedAt)))
    return { uid, connectionId, requestedAt };
  const admitted = await scope().call.findAdmitted({ kind: 'refund', uid });
  const isSameOrder = isSame(admitted?.order, order);
  // A run that was reset since has forgotten it.
  const found =
    admitted?.of === paymentUid
      ? { ...entry, ...entryOf(admitted, isSameOrder ? order : undefined) }
      : undefined;
  update((state) => replaceRefund(isSameOrder ? state : freeUse(state, uid), uid, found));
  if (found === undefined)
    throw refusalError(refundUidConflict(`Refund ${uid} exists already, of another payment.`));
  if (!isSameOrder)
    throw refusalError(refundUidConflict(`Refund ${uid} was asked for before with other particulars.`));
  return { uid, connectionId, requestedAt: found.requestedAt, isRepeat: true };
}

const entryOf = ({ amount, requestedAt, outcome = 'under_way' }: Admitted, order: RefundEntry['order']) => ({
  ...{ amount, order, requestedAt, outcome, outcomeAt: requestedAt },
});

/** @param by nothing where it is none of this payment's. */
const replaceRefund = (state: PaymentState, uid: string, by: RefundEntry | undefined): PaymentState => ({
  ...state,
  refunds: refundsOf(state).flatMap((one) => (one.uid !== uid ? [one] : by === undefined ? [] : [by])),
});

const childOf = (input: RefundInput, paymentUid: string, now: Instant): Child => ({
  workflow: REFUND_WORKFLOW,
  workflowId: refundWorkflowId(input.uid),
  input: { ...input, requestedAt: now },
  summary: `refund of payment ${paymentUid}`,
  attributes: [
    { key: REFUND_STATE, value: 'requested' },
    { key: AWAITING, value: 'provider-acceptance' },
    { key: AWAITING_SINCE, value: new Date(now) },
    { key: REQUESTED_AT, value: new Date(now) },
    ...(input.connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: input.connectionId }]),
  ],
});

/**
 * One that was not asked for here counts as well, unless it failed. The entries are bounded so: callers' own by `MOST_REFUNDS`, and of others each
 * claims at least a cent, and the provider lets all together be no more than the payment.
 */
export function recordRefundReport(
  state: PaymentState,
  { uid, amount, outcome, at }: RefundReport,
): PaymentState {
  const refunds = refundsOf(state);
  const reported = { uid, amount, outcome, outcomeAt: at };
  const found = refunds.find((entry) => entry.uid === uid);
  // A report may come twice, and then after a later one.
  if (found !== undefined && found.outcome !== 'under_way' && at < found.outcomeAt) return state;
  if (outcome === 'failed' && found?.order === undefined)
    return found === undefined ? state : { ...state, refunds: refunds.filter((entry) => entry !== found) };
  if (found === undefined) return { ...state, refunds: [...refunds, { ...reported, requestedAt: at }] };
  return {
    ...state,
    refunds: refunds.map((entry) => (entry.uid === uid ? { ...entry, ...reported } : entry)),
  };
}
