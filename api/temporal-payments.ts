// What the API asks of payments: admission by their agreement, and where they stand.
// In:  api/temporal.ts. Out: workflows/agreement.ts and workflows/payment.ts, by their contracts alone.
import { WorkflowNotFoundError } from '@temporalio/client';
import type { PaymentOrder } from '../domain/mandate.js';
import { agreementWorkflowId, requestPayment } from '../workflows/agreement.contract.js';
import { getPayment, paymentWorkflowId } from '../workflows/payment.contract.js';
import type { PaymentView } from '../workflows/payment.contract.js';
import { ApiError, notFound } from './errors.js';
import { isProblemCode } from './problems.js';
import type { ProblemCode } from './problems.js';
import { firstDifference } from './same-request.js';
import { refusalIn } from './temporal-calls.js';
import type { Calls } from './temporal-calls.js';

/** A worker answers in milliseconds; this is how long we believe that one may still come. */
const ADMISSION_MS = 10_000;

export interface PaymentsDoor {
  /** Has the agreement admit it, or finds that this very payment was admitted before. */
  request: (uid: string, order: PaymentOrder) => Promise<PaymentView>;
  view: (uid: string) => Promise<PaymentView | undefined>;
}

export function createPaymentsDoor(calls: Calls): PaymentsDoor {
  const view = (uid: string) => calls.ask(paymentWorkflowId(uid), getPayment);
  return {
    view,
    request: async (uid, order) => {
      // Read without a worker, so that an outage of Temporal shows at once and not after the update's long bound.
      const agreement = await calls.describe(agreementWorkflowId(order.agreement_uid));
      if (agreement === undefined) throw notFound('an agreement');
      if (!agreement.isOpen) return admittedBefore(view, uid, order);
      try {
        const { fresh } = await calls.tell(agreementWorkflowId(order.agreement_uid), ADMISSION_MS, (handle) =>
          handle.executeUpdate(requestPayment, { args: [{ uid, order }] }),
        );
        const admitted = requested(uid, order, agreement.connectionId);
        return fresh ? admitted : ((await view(uid)) ?? admitted);
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return admittedBefore(view, uid, order);
        throw refusedPayment(error) ?? error;
      }
    },
  };
}

/** An agreement that is over admits nothing more, but a repeat of what it had admitted gets its answer. */
async function admittedBefore(
  view: PaymentsDoor['view'],
  uid: string,
  order: PaymentOrder,
): Promise<PaymentView> {
  const found = await view(uid);
  const pointer = found === undefined ? undefined : firstDifference(order, found.order);
  if (found !== undefined && pointer === undefined) return found;
  if (pointer !== undefined) {
    const detail = `Payment ${uid} was asked for before with other particulars.`;
    throw new ApiError('idempotency_conflict', detail, {
      errors: [{ pointer: pointer === '' ? '/uid' : pointer, detail }],
    });
  }
  throw new ApiError('agreement_not_active', 'Expected an active agreement; this one is over.');
}

function requested(uid: string, order: PaymentOrder, connectionId: string | undefined): PaymentView {
  const now = new Date().toISOString();
  return {
    uid, order, connectionId, state: 'requested', stateSince: now, requestedAt: now, submissions: 0,
    awaiting: { what: 'provider-acceptance', since: now }, attention: [],
  }; // prettier-ignore
}

/** The agreement's refusals carry their own codes; one that is not of ours yet is still a refusal. */
function refusedPayment(error: unknown): ApiError | undefined {
  const refusal = refusalIn(error);
  if (refusal === undefined) return undefined;
  const { detail, pointer } = refusal;
  return new ApiError(problemOf(refusal.code), detail, {
    errors: pointer === undefined ? [] : [{ pointer, detail }],
    cause: error,
  });
}

function problemOf(code: string): ProblemCode {
  if (code === 'payment_uid_conflict') return 'idempotency_conflict';
  return isProblemCode(code) ? code : 'payment_refused';
}
