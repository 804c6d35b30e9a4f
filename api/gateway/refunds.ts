// What the API asks of refunds: admission by their payment, where they stand, and what operators do about them.
import { randomUUID } from 'node:crypto';
import { paymentOf } from '../../delivery/recipients.js';
import { isSame } from '../../domain/commands/differences.js';
import { refusalOfRefund, repeatOfRefund } from '../../domain/refund/lifecycle.js';
import type { RefundRequest } from '../../domain/refund/lifecycle.js';
import { requestRefund } from '../../workflows/payment/contract.js';
import type { PaymentEnd, RefundAdmitted } from '../../workflows/payment/contract.js';
import { getRefund, refundWorkflowId } from '../../workflows/refund/contract.js';
import type { RefundEnd, RefundView } from '../../workflows/refund/contract.js';
import { ApiError } from '../http/problems/errors.js';
import { digestOf } from '../http/idempotency.js';
import type { ListQuery } from '../http/parameters.schema.js';
import { isJustAdmitted } from './temporal/admission.js';
import { oneAtATime } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';
import { commanding, resourceCommands, updateReopening } from './temporal/commands.js';
import type { ResourceCommands } from './temporal/commands.js';
import { LISTINGS, listRuns } from './temporal/lists.js';
import type { ListPage, ListedRefund } from './temporal/lists.js';
import { readPayment } from './payments.js';
import { refusalIn, refusedBy, refusedUpdate } from './temporal/refusals.js';
import { createSharedCalls } from './temporal/update-limiter.js';

export interface RefundsGateway extends ResourceCommands {
  /** Has its payment admit it, or finds that this very refund was admitted before. */
  request: (request: RefundRequest) => Promise<RefundView>;
  view: (uid: string) => Promise<RefundView | undefined>;
  list: (query: ListQuery<RefundView['state']>) => Promise<ListPage<ListedRefund>>;
}

export function createRefundsGateway(calls: Calls): RefundsGateway {
  const view = oneAtATime((uid) =>
    calls.read(refundWorkflowId(uid), getRefund, ({ carried, ...view }: RefundEnd): RefundView => view),
  );
  const admit = admission(calls);
  return {
    view,
    list: (query) => listRuns(calls, LISTINGS.refunds, query),
    ...refundCommands(calls),
    request: async (request) => {
      const { uid, order } = request;
      try {
        if (await admit(request)) return requested(request);
        return (await view(uid)) ?? (await started(calls, request));
      } catch (error) {
        // A payment that was reset forgets what it had admitted, and then takes its own refund for that of another.
        const found = refusalIn(error)?.code === 'refund_uid_conflict' ? await view(uid) : undefined;
        if (found !== undefined && isSame(found.order, order)) return found;
        throw refusedUpdate(error, 'refund_refused');
      }
    },
  };
}

/**
 * Has the payment admit it; resolves to whether that was just now. A payment that is over is taken up again, but only for what is new and
 * would be admitted.
 */
function admission(calls: Calls): (request: RefundRequest) => Promise<boolean> {
  const once = createSharedCalls<boolean>();
  return (request) => {
    const paymentUid = request.order.original_payment_uid;
    const updateId = `${requestRefund.name}/${digestOf(request)}`;
    return once(`${paymentUid} ${updateId}`, async () => {
      const nonce = randomUUID();
      const recipient = { ...paymentOf(paymentUid, undefined), what: 'a payment' };
      const args: [RefundRequest] = [{ ...request, nonce }];
      const admitted = await updateReopening(calls, recipient, {
        ...{ update: requestRefund, args, updateId, by: 'a refund' },
        answered: (end: PaymentEnd) => admittedBefore(end, request),
      });
      return admitted.fresh && admitted.nonce === nonce;
    });
  };
}

/** The answer that a payment which is over needs no run for. @throws ApiError where it would be refused. */
function admittedBefore(
  { state, order, refunds = [] }: PaymentEnd,
  request: RefundRequest,
): { answer: RefundAdmitted } | undefined {
  const refusal = refusalOfRefund({ state, amount: order?.amount, refunds }, request);
  if (refusal !== undefined) throw refusedBy(refusal, 'refund_refused');
  const isRepeat = repeatOfRefund(refunds, request) !== 'none';
  return isRepeat ? { answer: { uid: request.uid, fresh: false } } : undefined;
}

function refundCommands(calls: Calls): ResourceCommands {
  const kind = {
    workflowId: refundWorkflowId,
    what: 'a refund',
    otherwise: 'refund_final',
  } as const;
  return resourceCommands(calls, kind, commanding(calls, kind), over);
}

const over = (): ApiError => new ApiError('refund_final', 'This refund is over; nothing can be asked of it.');

/** Admitted before, and its workflow is not there: not yet, as two asked at once, or no more, as it was long ago. */
async function started(calls: Calls, request: RefundRequest): Promise<RefundView> {
  const { uid, order } = request;
  const payment = await readPayment(calls, order.original_payment_uid);
  const requestedAt = payment?.refunds?.find((refund) => refund.uid === uid)?.requestedAt;
  if (requestedAt !== undefined && isJustAdmitted(requestedAt)) return requested(request, requestedAt);
  const detail = `Refund ${uid} was admitted before, and what became of it is no longer kept here. Ask the provider.`;
  throw new ApiError('refund_forgotten', detail);
}

function requested({ uid, order, by }: RefundRequest, since = new Date().toISOString()): RefundView {
  return {
    uid,
    order,
    state: 'requested',
    stateSince: since,
    requestedAt: since,
    requestedBy: by,
    submissions: 0,
    awaiting: { what: 'provider-acceptance', since },
    attention: [],
  };
}
