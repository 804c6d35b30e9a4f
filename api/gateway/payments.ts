// What the API asks of payments: admission by their agreement, and where they stand.
import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { firstDifference } from '../../domain/commands/differences.js';
import { canonical } from '../../domain/commands/key-use.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { PaymentHandling } from '../../domain/payment/handling.js';
import { endOfSydneyDay, sydneyDayOf } from '../../domain/time/sydney.js';
import { repeatOfPayment } from '../../domain/commands/repeat.js';
import { agreementWorkflowId, judgePayment, requestPayment } from '../../workflows/agreement/contract.js';
import type { PaymentRequest, Refused } from '../../workflows/agreement/contract.js';
import { getPayment, paymentWorkflowId } from '../../workflows/payment/contract.js';
import type { PaymentEnd, PaymentView } from '../../workflows/payment/contract.js';
import { ApiError, found, notFound } from '../http/problems/errors.js';
import { digestOf, keyConflict } from '../http/idempotency.js';
import type { ListQuery } from '../http/parameters.schema.js';
import type { Left } from './agreement-commands.js';
import { leftBy } from './temporal/commands.js';
import type { Ended } from './temporal/commands.js';
import { isJustAdmitted } from './temporal/admission.js';
import { readAgreement } from './agreements.js';
import { oneAtATime } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';
import { LISTINGS, listRuns } from './temporal/lists.js';
import type { ListPage, ListedPayment } from './temporal/lists.js';
import { createPaymentCommands } from './payment-commands.js';
import type { PaymentCommands } from './payment-commands.js';
import { refusalIn, refusedUpdate } from './temporal/refusals.js';
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
  /** Has the agreement judge it as it stands, which changes nothing; null where it would be admitted, or was before. */
  judge: (request: PaymentRequest) => Promise<Refused | null>;
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
      const judgement = await calls.ask(workflowId, judgePayment, {
        ...request,
        at: new Date().toISOString(),
      });
      return found(judgement, 'an agreement');
    },
    request: async (uid, order, use, handling, by) => {
      // Read without a worker, so that an outage of Temporal shows at once and not after the update's long bound.
      const agreement = await calls.describe(agreementWorkflowId(order.agreement_uid));
      if (agreement === undefined) throw notFound('an agreement');
      const atTheEnd = async () => {
        await assertUnused(calls, { uid: order.agreement_uid, runId: agreement.runId }, { uid, order, use });
        return asBefore(await admittedBefore(view, uid, order), handling);
      };
      if (!agreement.isOpen) return atTheEnd();
      try {
        const request = { uid, order, use, handling, by };
        if (await admit(request)) return requested(request, agreement.connectionId);
        const before = (await patiently(() => view(uid))) ?? (await started(calls, request));
        return asBefore(before, handling);
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return atTheEnd();
        const itself = await conflictingWithItself(error, view, uid, order);
        if (itself !== undefined) return itself;
        throw refusedUpdate(error, 'payment_refused');
      }
    },
  };
}

/** Undefined where no workflow has the uid. @throws ApiError `worker_unavailable` or `temporal_unavailable`. */
export const readPayment = (calls: Calls, uid: string): Promise<PaymentView | undefined> =>
  calls.read(paymentWorkflowId(uid), getPayment, ({ carried, ...view }: PaymentEnd): PaymentView => view);

/**
 * Has the agreement admit it; resolves to whether that was just now. Requests that are the same are one update, here and at
 * Temporal: it answers all of them alike, except those that it refuses, which are judged each time. Only the agreement's ledger, which
 * outlives its run, decides what is a repeat.
 */
function admission(calls: Calls): (request: PaymentRequest) => Promise<boolean> {
  const once = createSharedCalls<boolean>();
  return (request) => {
    const updateId = `${requestPayment.name}/${digestOf(request)}`;
    const workflowId = agreementWorkflowId(request.order.agreement_uid);
    return once(updateId, async () => {
      const args: [PaymentRequest] = [{ ...request, nonce: randomUUID() }];
      const { fresh, nonce } = await calls.update(workflowId, ADMISSION_MS, (handle) =>
        handle.executeUpdate(requestPayment, { args, updateId }),
      );
      return fresh && nonce === args[0].nonce;
    });
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

/** An agreement that is over still knows what its keys were used for. */
async function assertUnused(calls: Calls, ended: Ended, request: PaymentRequest): Promise<void> {
  if (request.use === undefined) return;
  const left = await leftBy<Left>(calls, agreementWorkflowId(ended.uid), ended);
  if (left !== undefined && repeatOfPayment(left, request) === 'other_key') throw keyConflict();
}

/** An agreement that is over admits nothing more, but a repeat of what it had admitted gets its answer. */
async function admittedBefore(
  view: PaymentsGateway['view'],
  uid: string,
  order: PaymentOrder,
): Promise<PaymentView> {
  const before = await view(uid);
  const pointer = before === undefined ? undefined : firstDifference(order, before.order);
  if (before !== undefined && pointer === undefined) return before;
  if (pointer !== undefined) {
    const detail = `Payment ${uid} was asked for before with other particulars.`;
    throw new ApiError('idempotency_conflict', detail, {
      errors: [{ pointer: pointer === '' ? '/uid' : pointer, detail }],
    });
  }
  throw new ApiError('agreement_not_active', 'Expected an active agreement; this one is over.');
}

/** @throws ApiError `idempotency_conflict` where it was to be handled in another way. */
function asBefore(found: PaymentView, handling: PaymentHandling = {}): PaymentView {
  if (canonical(found.handling ?? {}) === canonical(handling)) return found;
  const isTime = found.handling?.submitBefore !== handling.submitBefore;
  const at = isTime ? '/submit_before' : '/retry';
  const detail = `Payment ${found.uid} was asked for before, to be handled in another way.`;
  throw new ApiError('idempotency_conflict', detail, { errors: [{ pointer: at, detail }] });
}

/** Admitted before, and its workflow is not there: not yet, as two asked at once, or no more, as it was long ago. */
async function started(calls: Calls, request: PaymentRequest): Promise<PaymentView> {
  const { uid, order } = request;
  const agreement = await readAgreement(calls, order.agreement_uid);
  const requestedAt = agreement?.payments.find((payment) => payment.uid === uid)?.requestedAt;
  if (requestedAt !== undefined && isJustAdmitted(requestedAt))
    return requested(request, agreement?.connectionId, requestedAt);
  const detail = `Payment ${uid} was admitted before, and what became of it is no longer kept here. Ask the provider.`;
  throw new ApiError('payment_forgotten', detail);
}

/** An agreement that was reset forgets what it had admitted, and then takes its own payment for that of another. */
async function conflictingWithItself(
  error: unknown,
  view: PaymentsGateway['view'],
  uid: string,
  order: PaymentOrder,
): Promise<PaymentView | undefined> {
  if (refusalIn(error)?.code !== 'payment_uid_conflict') return undefined;
  const before = await view(uid);
  return firstDifference(order, before?.order) === undefined ? before : undefined;
}

function requested(
  { uid, order, handling, by }: PaymentRequest,
  connectionId: string | undefined,
  since = new Date().toISOString(),
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
