// What the API asks of payments: admission by their agreement, and where they stand.
import { WorkflowNotFoundError } from '@temporalio/client';
import { firstDifference } from '../../domain/commands/differences.js';
import { canonical, repeatOfUse } from '../../domain/commands/key-use.js';
import type { KeyRegister, KeyUse } from '../../domain/commands/key-use.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { PaymentHandling } from '../../domain/payment/handling.js';
import { endOfSydneyDay, sydneyDayOf } from '../../domain/time/sydney.js';
import { agreementWorkflowId, judgePayment, requestPayment } from '../../workflows/agreement/contract.js';
import type { PaymentAdmitted, PaymentRequest, Refused } from '../../workflows/agreement/contract.js';
import { getPayment, paymentWorkflowId } from '../../workflows/payment/contract.js';
import type { PaymentEnd, PaymentView } from '../../workflows/payment/contract.js';
import { ApiError, found, notFound } from '../http/problems/errors.js';
import { digestOf, keyConflict } from '../http/idempotency.js';
import type { ListQuery } from '../http/parameters.schema.js';
import { leftBy } from './temporal/commands.js';
import { isAdmittedSince, isJustAdmitted } from './temporal/admission.js';
import { oneAtATime } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';
import { LISTINGS, listRuns } from './temporal/lists.js';
import type { ListPage, ListedPayment } from './temporal/lists.js';
import { createPaymentCommands } from './payment-commands.js';
import type { PaymentCommands } from './payment-commands.js';
import { refusedUpdate } from './temporal/refusals.js';
import { createSharedCalls } from './temporal/update-limiter.js';

/** A worker answers in milliseconds; this is how long we believe that one may still come. */
const ADMISSION_MS = 10_000;

export interface PaymentsGateway extends PaymentCommands {
  /**
   * Has the agreement admit it, or finds that this very payment was admitted before.
   * @throws ApiError `idempotency_conflict` also where its key was used for another.
   */
  request: (
    uid: string,
    order: PaymentOrder,
    use?: KeyUse,
    handling?: PaymentHandling,
    by?: string,
  ) => Promise<PaymentView>;
  /**
   * Has the agreement judge it as it stands, which changes nothing; undefined where it would be admitted, or was before.
   * @throws ApiError `idempotency_conflict` where another payment has its uid.
   */
  judge: (request: PaymentRequest) => Promise<Refused | undefined>;
  view: (uid: string) => Promise<PaymentView | undefined>;
  list: (query: ListQuery<PaymentView['state']>) => Promise<ListPage<ListedPayment>>;
}

export function createPaymentsGateway(calls: Calls): PaymentsGateway {
  const view = oneAtATime((uid) => readPayment(calls, uid));
  const admit = admission(calls);
  return {
    view,
    list: (query) => listRuns(calls, LISTINGS.payments, query),
    ...createPaymentCommands(calls, view),
    judge: async (request) => {
      const workflowId = agreementWorkflowId(request.order.agreement_uid);
      const question = { ...request, at: new Date().toISOString() };
      const { refusal, repeatOf } = found(
        await calls.ask(workflowId, judgePayment, question),
        'an agreement',
      );
      const before = repeatOf === 'uid' ? await view(request.uid) : undefined;
      if (before !== undefined) asRequested(before, request);
      return refusal;
    },
    request: async (uid, order, use, handling, by) => {
      const beganMs = Date.now();
      const request: PaymentRequest = { uid, order, use, handling, by };
      // Read without a worker, so that an outage of Temporal shows at once and not after the update's long bound.
      const agreement = await calls.describe(agreementWorkflowId(order.agreement_uid));
      if (agreement === undefined) throw notFound('an agreement');
      const { runId } = agreement;
      if (!agreement.isOpen) return admittedBefore(calls, view, request, runId);
      try {
        const admitted = await admit(request);
        if (admitted.repeatOf === undefined && isAdmittedSince(admitted.requestedAt, beganMs))
          return requested(request, admitted);
        const before = (await patiently(() => view(uid))) ?? started(request, admitted);
        return admitted.repeatOf === 'uid' ? asRequested(before, request) : before;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return admittedBefore(calls, view, request, runId);
        throw refusedUpdate(error, 'payment_refused');
      }
    },
  };
}

/** Undefined where no workflow has the uid. @throws ApiError `worker_unavailable` or `temporal_unavailable`. */
export const readPayment = (calls: Calls, uid: string): Promise<PaymentView | undefined> =>
  calls.read(paymentWorkflowId(uid), getPayment, ({ carried, ...view }: PaymentEnd): PaymentView => view);

/**
 * Has the agreement admit it. Requests that are the same are one update, here and at Temporal: it answers all of them alike, except those that
 * it refuses, which are judged each time. Only what the agreement keeps, which outlives its run, decides what is a repeat.
 */
function admission(calls: Calls): (request: PaymentRequest) => Promise<PaymentAdmitted> {
  const once = createSharedCalls<PaymentAdmitted>();
  return (request) => {
    const updateId = `${requestPayment.name}/${digestOf(request)}`;
    const workflowId = agreementWorkflowId(request.order.agreement_uid);
    return once(updateId, () =>
      calls.update(workflowId, ADMISSION_MS, (handle) =>
        handle.executeUpdate(requestPayment, { args: [request], updateId }),
      ),
    );
  };
}

/** What was admitted is no failure: where a busy worker is slow to say how it stands, it is asked again for as long as for admission. */
async function patiently<T>(read: () => Promise<T>): Promise<T> {
  for (const untilMs = Date.now() + ADMISSION_MS; ;) {
    try {
      return await read();
    } catch (error) {
      const isSilent = error instanceof ApiError && error.code === 'worker_unavailable';
      if (!isSilent || Date.now() > untilMs) throw error;
    }
  }
}

/**
 * An agreement that is over admits nothing more, but a repeat of what it had admitted gets its answer.
 * @throws ApiError `agreement_not_active`, or `idempotency_conflict`
 */
async function admittedBefore(
  calls: Calls,
  view: PaymentsGateway['view'],
  request: PaymentRequest,
  runId: string,
): Promise<PaymentView> {
  const { uid, order, use } = request;
  const workflowId = agreementWorkflowId(order.agreement_uid);
  const left = await leftBy<KeyRegister>(calls, workflowId, { uid: order.agreement_uid, runId });
  const repeat = repeatOfUse(left ?? {}, use);
  if (repeat === 'other') throw keyConflict();
  const before = await view(uid);
  if (before === undefined)
    throw new ApiError('agreement_not_active', 'Expected an active agreement; this one is over.');
  return repeat === 'same' ? before : asRequested(before, request);
}

/** What has the uid, where it is what is asked for. @throws ApiError `idempotency_conflict` */
function asRequested(before: PaymentView, { order, handling = {} }: PaymentRequest): PaymentView {
  const pointer =
    firstDifference(order, before.order) ?? differenceInHandling(before.handling ?? {}, handling);
  if (pointer === undefined) return before;
  const detail = `Payment ${before.uid} was asked for before with other particulars.`;
  throw new ApiError('idempotency_conflict', detail, {
    errors: [{ pointer: pointer === '' ? '/uid' : pointer, detail }],
  });
}

const differenceInHandling = (before: PaymentHandling, handling: PaymentHandling): string | undefined => {
  if (canonical(before) === canonical(handling)) return undefined;
  return before.submitBefore === handling.submitBefore ? '/retry' : '/submit_before';
};

/** Admitted before, and its workflow is not there: not yet, as two asked at once, or no more, as it was long ago. */
function started(request: PaymentRequest, admitted: PaymentAdmitted): PaymentView {
  if (isJustAdmitted(admitted.requestedAt)) return requested(request, admitted);
  const detail = `Payment ${request.uid} was admitted before, and what became of it is no longer kept here. Ask the provider.`;
  throw new ApiError('payment_forgotten', detail);
}

function requested(
  { uid, order, handling, by }: PaymentRequest,
  { connectionId, requestedAt: since = new Date().toISOString() }: PaymentAdmitted,
): PaymentView {
  return {
    uid,
    order,
    handling,
    connectionId,
    state: 'requested',
    stateSince: since,
    requestedAt: since,
    requestedBy: by,
    submitBefore: handling?.submitBefore ?? endOfSydneyDay(sydneyDayOf(since)),
    submissions: 0,
    attempts: [{ n: 1, startedAt: since, state: 'requested' }],
    awaiting: { what: 'provider-acceptance', since },
    attention: [],
  };
}
