// Has payments admit refunds, and reads, lists and commands refund workflows.
import { withMinute } from '../../delivery/unanswered.js';
import { recipientOf } from '../../delivery/recipients.js';
import { refusalOfRefund, repeatOfRefund } from '../../domain/refund/lifecycle.js';
import type { RefundRequest } from '../../domain/refund/lifecycle.js';
import { upgrade } from '../../workflows/contracts/every-workflow.js';
import { requestRefund } from '../../workflows/payment/contract.js';
import type { PaymentEnd, RefundAdmitted } from '../../workflows/payment/contract.js';
import { getRefund, refundWorkflowId } from '../../workflows/refund/contract.js';
import type { RefundEnd, RefundView } from '../../workflows/refund/contract.js';
import { ApiError } from '../http/problems/errors.js';
import { digestOf } from '../http/idempotency.js';
import type { RowsRequest } from '../../records/lists.js';
import { isAdmittedSince, isJustAdmitted } from './temporal/admission.js';
import { oneAtATime } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';
import { commanding, resourceCommands, updateReopening } from './temporal/commands.js';
import type { ResourceCommands } from './temporal/commands.js';
import type { ListPage } from './records.js';
import { refusedBy, refusedUpdate } from './temporal/refusals.js';
import { createSharedCalls } from './temporal/update-limiter.js';

export interface RefundsGateway extends ResourceCommands {
  /** Has the payment admit a refund, or returns the refund for a repeat. */
  request: (request: RefundRequest) => Promise<RefundView>;
  view: (uid: string) => Promise<RefundView | undefined>;
  list: (request: RowsRequest) => Promise<ListPage<RefundView>>;
}

export function createRefundsGateway(calls: Calls): RefundsGateway {
  const ofWorkflow = oneAtATime((uid) =>
    calls.read(refundWorkflowId(uid), getRefund, ({ carried, ...view }: RefundEnd): RefundView => view),
  );
  const view: RefundsGateway['view'] = (uid) =>
    calls.recorded.view({ resource: 'refund', uid, workflowId: refundWorkflowId(uid) }, () =>
      ofWorkflow(uid),
    );
  const admit = admission(calls);
  return {
    view,
    list: (request) => calls.recorded.list('refund', request),
    ...refundCommands(calls),
    request: async (request) => {
      const beganMs = Date.now();
      const admitted = await admit(request).catch((error: unknown) => {
        throw refusedUpdate(error, 'refund_refused');
      });
      if (admitted.isRepeat !== true && isAdmittedSince(admitted.requestedAt, beganMs))
        return requested(request, admitted);
      return (await view(request.uid)) ?? started(request, admitted);
    },
  };
}

/** Has the payment admit a refund. An ended payment is reopened only for a new refund that would be admitted. */
function admission(calls: Calls): (request: RefundRequest) => Promise<RefundAdmitted> {
  const once = createSharedCalls<RefundAdmitted>();
  return (request) => {
    const paymentUid = request.order.original_payment_uid;
    const updateId = withMinute(`${requestRefund.name}/${digestOf(request)}`);
    const recipient = { ...recipientOf('payment', paymentUid, undefined), what: 'a payment' };
    return once(`${paymentUid} ${updateId}`, () =>
      updateReopening(calls, recipient, {
        ...{ update: requestRefund, args: [request], updateId, by: 'a refund' },
        answered: (end: PaymentEnd) => admittedBefore(end, request),
      }),
    );
  };
}

/** Answers a repeat from the ended run of the payment. @throws ApiError if the payment would refuse the refund. */
function admittedBefore(
  { state, order, refunds = [], connectionId, carried }: PaymentEnd,
  request: RefundRequest,
): { answer: RefundAdmitted } | undefined {
  const payment = { state, amount: order?.amount, refunds, uses: upgrade(carried).uses };
  const refusal = refusalOfRefund(payment, request);
  if (refusal !== undefined) throw refusedBy(refusal, 'refund_refused');
  if (repeatOfRefund(payment, request) === 'none') return undefined;
  const { uid } = request;
  const requestedAt = refunds.find((refund) => refund.uid === uid)?.requestedAt;
  return { answer: { uid, connectionId, requestedAt, isRepeat: true } };
}

function refundCommands(calls: Calls): ResourceCommands {
  const kind = {
    workflowId: refundWorkflowId,
    what: 'a refund',
    otherwise: 'refund_final',
  } as const;
  return resourceCommands(calls, kind, commanding(calls, kind), over);
}

const over = (): ApiError =>
  new ApiError('refund_final', 'This refund has ended and accepts no more commands.');

/** A refund that was admitted but has no workflow: it is still starting, or Temporal no longer stores it. */
function started(request: RefundRequest, admitted: RefundAdmitted): RefundView {
  if (isJustAdmitted(admitted.requestedAt)) return requested(request, admitted);
  const detail = `Refund ${request.uid} was admitted before, but we no longer store its outcome. Look it up at the provider.`;
  throw new ApiError('refund_forgotten', detail);
}

function requested(
  { uid, order, by }: RefundRequest,
  { connectionId, requestedAt: since = new Date().toISOString() }: RefundAdmitted,
): RefundView {
  return {
    ...{ uid, order, connectionId, state: 'requested' },
    ...{ stateSince: since, requestedAt: since, requestedBy: by },
    submissions: 0,
    awaiting: { what: 'provider-acceptance', since },
    attention: [],
  };
}
