// Has payments admit refunds. The rest is that of every followed resource.
import { withMinute } from '../../delivery/unanswered.js';
import { isSame } from '../../domain/commands/differences.js';
import {
  refundUidConflict,
  refusalOfRefund,
  repeatOfRefund,
  type RefundRequest,
} from '../../domain/refund/lifecycle.js';
import { upgrade } from '../../workflows/contracts/every-workflow.js';
import { requestRefund, type PaymentEnd, type RefundAdmitted } from '../../workflows/payment/contract.js';
import { getRefund, type RefundView } from '../../workflows/refund/contract.js';
import { viewOf as paymentViewOf } from '../../workflows/payment/view.js';
import { firstView, viewOf } from '../../workflows/refund/view.js';
import type { RowFilter } from '../../records/lists.js';
import type { DayTotal } from '../../records/read.js';
import { digestOf } from '../http/idempotency.js';
import { followedGateway, type FollowedGateway } from './resource.js';
import { admittedView } from './temporal/admission.js';
import type { Caller } from '../http/caller.js';
import { recordedBefore } from './temporal/recorded-before.js';
import type { Calls } from './temporal/calls.js';
import { refusedBy, refusedUpdate } from './temporal/refusals.js';
import { createSharedCalls } from './temporal/update-limiter.js';
import { updatePayment } from './temporal/updates.js';

interface RefundsGateway extends FollowedGateway<RefundView> {
  /** Has the payment admit a refund, or returns the refund for a repeat. */
  request: (request: RefundRequest, caller?: Partial<Caller>) => Promise<RefundView>;
  /** By state and by the day on which the refund entered it. */
  totals: (filter: RowFilter, entered: { from: string; until: string }) => Promise<DayTotal[]>;
}

export function createRefundsGateway(calls: Calls): RefundsGateway {
  const followed = followedGateway(calls, 'refund', getRefund, viewOf);
  const admit = admission(calls);
  return {
    ...followed,
    totals: (filter, entered) => calls.recorded.ask(({ totals }) => totals('refund', filter, entered)),
    request: async (request, caller = {}) => {
      const beganMs = Date.now();
      const of = { resource: 'refund', uid: request.uid, use: request.use, caller } as const;
      const { recorded, view } = await recordedBefore<RefundView>(calls, of);
      if (view !== undefined) assertSame(view, request);
      const admitted = await admit({ ...request, recorded }).catch((error: unknown) => {
        throw refusedUpdate(error, 'refund_refused');
      });
      const { uid } = request;
      return admittedView('refund', { ...admitted, uid, isRepeat: admitted.isRepeat === true }, beganMs, {
        requested: (at) => firstView({ ...request, ...admitted, requestedBy: request.by }, at),
        read: () => followed.view(uid),
      });
    },
  };
}

/** @throws ApiError `idempotency_conflict` unless the recorded refund equals the request. */
function assertSame({ order: first }: RefundView, { uid, order }: RefundRequest): void {
  const conflict = (what: string) => refusedBy(refundUidConflict(`Refund ${uid} ${what}.`), 'refund_refused');
  if (first?.original_payment_uid !== order.original_payment_uid)
    throw conflict('already exists and belongs to another payment');
  if (!isSame(first, order)) throw conflict('was requested before with different details');
}

/** Has the payment admit a refund. An ended payment is reopened only for a new refund that would be admitted. */
function admission(calls: Calls): (request: RefundRequest) => Promise<RefundAdmitted> {
  const once = createSharedCalls<RefundAdmitted>();
  return (request) => {
    const paymentUid = request.order.original_payment_uid;
    const { recorded: _, ...same } = request;
    const updateId = withMinute(`${requestRefund.name}/${digestOf(same)}`);
    return once(`${paymentUid} ${updateId}`, () =>
      updatePayment(calls, paymentUid, {
        ...{ definition: requestRefund, request, updateId, by: 'a refund' },
        answered: (end) => admittedBefore(end, request),
      }),
    );
  };
}

/** Answers a repeat from the ended run of the payment. @throws ApiError if the payment would refuse the refund. */
function admittedBefore(
  { carried }: PaymentEnd,
  request: RefundRequest,
): { answer: RefundAdmitted } | undefined {
  const left = upgrade(carried);
  const { state, order, refunds = [], connectionId } = paymentViewOf(left);
  const payment = { state, amount: order?.amount, refunds, uses: left.uses };
  const refusal = refusalOfRefund(payment, request);
  if (refusal !== undefined) throw refusedBy(refusal, 'refund_refused');
  if (repeatOfRefund(payment, request) === 'none') return undefined;
  const requestedAt = refunds.find((refund) => refund.uid === request.uid)?.requestedAt;
  return { answer: { connectionId, requestedAt, isRepeat: true } };
}
