// The refunds of a payment. Only the payment admits them, so that together they never exceed it. It records each refund and starts its
// workflow in one workflow task. Plain JSON and pure.
import { isSame } from '../../domain/commands/differences.js';
import { freeUse, applyUse } from '../../domain/commands/key-use.js';
import {
  REFUND_KEY_CONFLICT,
  refundUidConflict,
  refusalOfRefund,
  repeatOfRefund,
  type RefundOutcome,
  type RefundEntry,
  type RefundRefusal,
  type RefundReport,
  type RefundRequest,
} from '../../domain/refund/lifecycle.js';
import { unlessLeaving } from '../engine/handlers.js';
import { refused, uidUnclear } from '../engine/refusal.js';
import { noneIfFailed, type Child, type Runtime } from '../engine/runtime.js';
import { AWAITING, AWAITING_SINCE, CONNECTION_ID, REFUND_STATE } from '../contracts/search-attributes.js';
import { REFUND_WORKFLOW, refundWorkflowId } from '../contracts/signals.js';
import { isUnproven } from '../resource/others.js';
import { RECORDS_NEEDED } from '../../domain/commands/records-needed.js';
import { decidesAlone } from '../resource/unchecked.js';
import { stateOf, type PaymentState } from './state.js';
import type { Admitted } from '../../activities/temporal/runs.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { StateStore } from '../engine/reconcile.js';
import type { RefundInput } from '../refund/contract.js';
import type { RefundAdmitted } from './contract.js';

const refundsOf = ({ refunds = [] }: PaymentState): RefundEntry[] => refunds;

/** A repeat passes. @throws ApplicationFailure whose type is a `RefundRefusalCode`, with the field as its first detail. */
export function validateRefund(state: PaymentState, request: RefundRequest): void {
  const { order, uses } = state;
  const status = { state: statusOf(state), amount: order?.amount, refunds: refundsOf(state), uses };
  const refusal = refusalOfRefund(status, request);
  if (refusal !== undefined) throw refusalError(refusal);
  const isNew = repeatOfRefund(status, request) === 'none';
  const isUnclear = state.isUnchecked === true || (request.recorded === undefined && !decidesAlone(state));
  if (isNew && isUnclear) throw recordsNeeded();
}

/** The state is unknown until the provider has the payment, so no refund is admitted. The same holds if the payment is or may be another's. */
const statusOf = (state: PaymentState): ReturnType<typeof stateOf> | 'unknown' =>
  state.mustListRefunds !== true &&
  state.submission.stage === 'open' &&
  state.isAnothers !== true &&
  state.isTaken !== true &&
  state.isDoubtful !== true &&
  !isUnproven(state)
    ? stateOf(state)
    : 'unknown';

const recordsNeeded = () => refused(RECORDS_NEEDED.code, RECORDS_NEEDED.detail);

const refusalError = ({ code, detail, pointer }: RefundRefusal) => refused(code, detail, { pointer });

/** Records the refund and starts its workflow. A repeat of an admitted refund starts nothing. */
export async function startRefund(
  store: StateStore<PaymentState>,
  { now, startChild, scope, until }: Pick<Runtime, 'now' | 'startChild' | 'scope' | 'until'>,
  request: RefundRequest,
): Promise<RefundAdmitted> {
  const { read, update } = store;
  const { uid, order, use, by: requestedBy, recorded } = request;
  const { uid: paymentUid, connectionId, uses } = read();
  const refunds = refundsOf(read());
  // Dropped keys that wait for the records.
  const { keys = [] } = store.recorder.recording();
  const repeat = repeatOfRefund({ refunds, uses: [...keys, ...(uses ?? [])] }, request);
  if (repeat === 'other_key') throw refusalError(REFUND_KEY_CONFLICT);
  if (repeat !== 'none') {
    const requestedAt = refunds.find((one) => one.uid === uid)?.requestedAt;
    return { connectionId, requestedAt, isRepeat: true };
  }
  const requestedAt = now();
  const { amount } = order.refund_payment;
  const entry: RefundEntry = {
    ...{ uid, amount, order, requestedAt, requestedBy },
    ...{ outcome: 'under_way', outcomeAt: requestedAt },
  };
  update((state) => applyUse({ ...state, refunds: [...refundsOf(state), entry] }, use));
  const isUnchecked = recorded === undefined || undefined;
  const input = { uid, connectionId, order, requestedAt, requestedBy, isUnchecked };
  if (await startChild(childOf(input, paymentUid))) return { connectionId, requestedAt };
  const answer = scope().call.claimRefund(input);
  const admitted = await unlessLeaving(store, until, answer).catch(noneIfFailed);
  if (admitted === undefined) {
    update((state) => freeUse(replaceRefund(state, uid, undefined), use));
    throw uidUnclear(uid);
  }
  const isSameOrder = isSame(admitted?.order, order);
  // The run has just been claimed, also if an earlier attempt of the call did it.
  if (isSameOrder && admitted?.requestedAt === requestedAt) return { connectionId, requestedAt };
  // After a reset, the run no longer lists this refund, although it was admitted.
  const found =
    admitted?.of === paymentUid
      ? { ...entry, ...entryOf(admitted, isSameOrder ? order : undefined) }
      : undefined;
  update((state) => replaceRefund(isSameOrder ? state : freeUse(state, use), uid, found));
  if (found === undefined)
    throw refusalError(refundUidConflict(`Refund ${uid} already exists and belongs to another payment.`));
  if (!isSameOrder)
    throw refusalError(refundUidConflict(`Refund ${uid} was already requested with different details.`));
  return { connectionId, requestedAt: found.requestedAt, isRepeat: true };
}

const entryOf = ({ amount, requestedAt, outcome = 'under_way' }: Admitted, order: RefundEntry['order']) => ({
  ...{ amount, order, requestedAt, outcome, outcomeAt: requestedAt },
});

/** @param by undefined if the refund does not belong to this payment. */
const replaceRefund = (state: PaymentState, uid: string, by: RefundEntry | undefined): PaymentState => ({
  ...state,
  refunds: refundsOf(state).flatMap((one) => (one.uid !== uid ? [one] : by === undefined ? [] : [by])),
});

const childOf = (input: RefundInput & { requestedAt: Instant }, paymentUid: string): Child => ({
  workflow: REFUND_WORKFLOW,
  workflowId: refundWorkflowId(input.uid),
  input,
  summary: `Refund of payment ${paymentUid}`,
  attributes: [
    { key: REFUND_STATE, value: 'requested' },
    { key: AWAITING, value: 'provider-acceptance' },
    { key: AWAITING_SINCE, value: new Date(input.requestedAt) },
    ...(input.connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: input.connectionId }]),
  ],
});

const PROGRESS: Readonly<Record<RefundOutcome, number>> = {
  under_way: 0,
  unresolved: 1,
  failed: 2,
  processed: 3,
};

/** The refunds that the provider lists. Those in the state with the same outcome stay as they are. */
export const applyListedRefunds = (state: PaymentState, listed: readonly RefundReport[]): PaymentState =>
  listed
    .filter(({ uid, outcome }) => refundsOf(state).every((one) => one.uid !== uid || one.outcome !== outcome))
    .reduce(applyRefundReport, { ...state, mustListRefunds: undefined });

/**
 * A refund that we did not request also counts unless it failed. The list is bounded: our own refunds by `MOST_REFUNDS`, the others
 * because each is at least one cent and together they cannot exceed the payment.
 */
export function applyRefundReport(
  state: PaymentState,
  { uid, amount, outcome, at }: RefundReport,
): PaymentState {
  const refunds = refundsOf(state);
  const reported = { uid, amount, outcome, outcomeAt: at };
  const found = refunds.find((entry) => entry.uid === uid);
  // A report may arrive twice, or after a newer one. An earlier time of the same or a later outcome corrects the time of a look-up.
  if (found !== undefined && PROGRESS[outcome] < PROGRESS[found.outcome] && at < found.outcomeAt)
    return state;
  if (outcome === 'failed' && found?.order === undefined)
    return found === undefined ? state : { ...state, refunds: refunds.filter((entry) => entry !== found) };
  if (found === undefined) return { ...state, refunds: [...refunds, { ...reported, requestedAt: at }] };
  return {
    ...state,
    refunds: refunds.map((entry) => (entry.uid === uid ? { ...entry, ...reported } : entry)),
  };
}
