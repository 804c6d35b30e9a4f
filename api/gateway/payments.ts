// Has agreements admit payments, and reads and lists payment workflows.
import { WorkflowNotFoundError } from '@temporalio/client';
import { withMinute } from '../../delivery/unanswered.js';
import { RECORDS_NEEDED } from '../../domain/commands/records-needed.js';
import { firstDifference } from '../../domain/commands/differences.js';
import { canonical, repeatOfUse, type KeyRegister, type KeyUse } from '../../domain/commands/key-use.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { PaymentHandling } from '../../domain/payment/handling.js';
import {
  agreementWorkflowId,
  judgePayment,
  requestPayment,
  type PaymentAdmitted,
  type PaymentRequest,
  type Refused,
} from '../../workflows/agreement/contract.js';
import { getPayment, type PaymentView } from '../../workflows/payment/contract.js';
import { firstView, viewOf } from '../../workflows/payment/view.js';
import { ApiError } from '../http/problems/errors.js';
import { digestOf, keyConflict } from '../http/idempotency.js';
import type { RowFilter } from '../../records/lists.js';
import type { DayTotal } from '../../records/read.js';
import { leftBy } from './temporal/commands.js';
import { followedGateway, sameOrRefused, type FollowedGateway } from './resource.js';
import { admittedView } from './temporal/admission.js';
import type { Calls } from './temporal/calls.js';
import { startFromRecord, updateOrStart, type RecordStart } from '../../delivery/update-or-start.js';
import { rememberedOf } from './temporal/forgotten.js';
import { createPaymentCommands, type PaymentCommands } from './payment-commands.js';
import { refusedBy, refusedUpdate } from './temporal/refusals.js';
import { recordedBefore } from './temporal/recorded-before.js';
import { requestedByCaller, type Caller } from '../http/caller.js';
import { createSharedCalls } from './temporal/update-limiter.js';
import { ANSWER_MS } from './temporal/updates.js';

interface PaymentsGateway extends FollowedGateway<PaymentView>, PaymentCommands {
  /**
   * Has the agreement admit a payment, or returns the payment for a repeat.
   * @throws ApiError `idempotency_conflict`, also if another payment used the key.
   */
  request: (
    uid: string,
    order: PaymentOrder,
    use?: KeyUse,
    handling?: PaymentHandling,
    caller?: Caller,
  ) => Promise<PaymentView>;
  /**
   * Has the agreement judge a payment without any change. Undefined if it would be admitted, or was before.
   * @throws ApiError `idempotency_conflict` if another payment has the uid.
   */
  judge: (request: PaymentRequest, caller?: Caller) => Promise<Refused | undefined>;
  /** By state and by the day on which the payment entered it. */
  totals: (filter: RowFilter, entered: { from: string; until: string }) => Promise<DayTotal[]>;
}

export function createPaymentsGateway(calls: Calls): PaymentsGateway {
  const followed = followedGateway(calls, 'payment', getPayment, viewOf);
  const { view } = followed;
  const admit = admission(calls);
  const recordedOf = async ({ uid, use }: PaymentRequest, caller: Partial<Caller> = {}) =>
    (await recordedBefore(calls, { resource: 'payment', uid, use, caller })).recorded;
  return {
    ...followed,
    totals: (filter, entered) => calls.recorded.ask(({ totals }) => totals('payment', filter, entered)),
    ...createPaymentCommands(calls, view),
    judge: async (request, caller) => {
      const workflowId = agreementWorkflowId(request.order.agreement_uid);
      const recorded = await recordedOf(request, caller);
      const question = { ...request, recorded, at: new Date().toISOString() };
      const judged = await calls.ask(workflowId, judgePayment, question);
      if (judged === undefined) return judgedFromRecord(calls, view, request, caller);
      const { refusal, repeatOf } = judged;
      if (refusal?.code === RECORDS_NEEDED.code) throw refusedBy(refusal, 'payment_refused');
      const before = repeatOf === 'uid' ? await view(request.uid) : undefined;
      if (before !== undefined) asRequested(before, request, caller);
      return refusal;
    },
    request: async (uid, order, use, handling, caller) => {
      const beganMs = Date.now();
      const request: PaymentRequest = { uid, order, use, handling, by: caller?.principal };
      // A read that needs no worker: it detects an outage of Temporal at once, not after the update's long timeout.
      const agreement = await calls.describe(agreementWorkflowId(order.agreement_uid));
      const { runId } = agreement ?? {};
      const recorded = await recordedOf(request, caller);
      if (agreement?.isOpen === false) return admittedBefore(calls, view, request, { caller, runId });
      const start = agreement === undefined ? await startOfAgreement(calls, order.agreement_uid) : undefined;
      try {
        const admitted = await admit({ ...request, recorded }, start);
        const { judged, repeatOf, requestedAt = judged?.at } = admitted;
        const isRepeat = repeatOf !== undefined;
        const found = await admittedView('payment', { uid, requestedAt, isRepeat }, beganMs, {
          requested: (at) => firstView({ ...request, ...admitted, requestedBy: request.by }, at),
          read: () => patiently(() => view(uid)),
        });
        return repeatOf === 'uid' ? asRequested(found, request, caller) : found;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError)
          return admittedBefore(calls, view, request, { caller, runId });
        throw refusedUpdate(error, 'payment_refused');
      }
    },
  };
}

/**
 * Has the agreement admit a payment. Identical requests share one update, in this process and at Temporal for a minute, and get
 * the same answer; a refused request is judged each time. Only the agreement's stored state, which outlives its run, detects repeats.
 */
function admission(
  calls: Calls,
): (request: PaymentRequest, start: RecordStart | undefined) => Promise<PaymentAdmitted> {
  const once = createSharedCalls<PaymentAdmitted>();
  return (request, start) => {
    const { recorded: _, ...same } = request;
    const updateId = withMinute(`${requestPayment.name}/${digestOf(same)}`);
    const workflowId = agreementWorkflowId(request.order.agreement_uid);
    return once(updateId, () =>
      calls.update(workflowId, ANSWER_MS, (handle) =>
        updateOrStart(calls, handle, start, { definition: requestPayment, args: [request], updateId }),
      ),
    );
  };
}

/** The run of an agreement that Temporal has forgotten. It decides from its record. @throws the errors of `rememberedOf`. */
async function startOfAgreement(calls: Calls, uid: string): Promise<RecordStart> {
  const { connectionId } = await rememberedOf(calls, { resource: 'agreement', uid });
  return startFromRecord(calls, 'agreement', { uid, connectionId }, 'a payment');
}

/** The judgement of an agreement that Temporal has forgotten. Only one that has ended can be. @throws the errors of `rememberedOf`. */
async function judgedFromRecord(
  calls: Calls,
  view: PaymentsGateway['view'],
  request: PaymentRequest,
  caller: Caller | undefined,
): Promise<Refused | undefined> {
  await rememberedOf(calls, { resource: 'agreement', uid: request.order.agreement_uid });
  const before = await view(request.uid);
  if (before === undefined) return { code: 'agreement_not_active', detail: HAS_ENDED };
  asRequested(before, request, caller);
  return undefined;
}

const HAS_ENDED = 'This agreement has ended. Expected an active agreement.';

/** Retries a read for as long as an admission may take: a slow worker must not make an admitted payment look failed. */
async function patiently<T>(read: () => Promise<T>): Promise<T> {
  for (const untilMs = Date.now() + ANSWER_MS; ;) {
    try {
      return await read();
    } catch (error) {
      const isSilent = error instanceof ApiError && error.code === 'worker_unavailable';
      if (!isSilent || Date.now() > untilMs) throw error;
    }
  }
}

/**
 * Answers a repeat of an admitted payment after its agreement has ended.
 * @throws ApiError `agreement_not_active`, or `idempotency_conflict`
 */
async function admittedBefore(
  calls: Calls,
  view: PaymentsGateway['view'],
  request: PaymentRequest,
  { caller, runId = '' }: { caller: Caller | undefined; runId: string | undefined },
): Promise<PaymentView> {
  const { uid, order, use } = request;
  const left = await leftBy<KeyRegister>(calls, 'agreement', { uid: order.agreement_uid, runId });
  const repeat = repeatOfUse(left ?? {}, use);
  if (repeat === 'other') throw keyConflict();
  const before = await view(uid);
  if (before === undefined) throw new ApiError('agreement_not_active', HAS_ENDED);
  return repeat === 'same' ? before : asRequested(before, request, caller);
}

/** The existing payment, if it equals the request. @throws ApiError `idempotency_conflict` */
function asRequested(
  before: PaymentView,
  { order, handling = {} }: PaymentRequest,
  caller: Caller | undefined,
): PaymentView {
  requestedByCaller(before, caller ?? {});
  const pointer =
    firstDifference(order, before.order) ?? differenceInHandling(before.handling ?? {}, handling);
  return sameOrRefused(before, pointer, `Payment ${before.uid}`);
}

const differenceInHandling = (before: PaymentHandling, handling: PaymentHandling): string | undefined => {
  if (canonical(before) === canonical(handling)) return undefined;
  return before.submitBefore === handling.submitBefore ? '/retry' : '/submit_before';
};
