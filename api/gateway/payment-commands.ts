// What the API asks a payment to do: each is answered by its workflow, or refused there and nothing written.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { repeatOfRetry } from '../../domain/commands/repeat.js';
import { refusalOfRetry } from '../../domain/payment/retry.js';
import type { RetryRequest } from '../../domain/payment/retry.js';
import { refusalOfWithdrawal } from '../../domain/payment/withdrawal.js';
import type { Withdrawal } from '../../domain/payment/withdrawal.js';
import { carry, fairnessOf } from '../../workflows/entity/contract.js';
import {
  AGREEMENT_UID,
  AWAITING,
  AWAITING_SINCE,
  CONNECTION_ID,
  PAYMENT_STATE,
} from '../../workflows/entity/search-attributes.js';
import {
  PAYMENT_WORKFLOW,
  paymentWorkflowId,
  retryPayment,
  withdrawPayment,
} from '../../workflows/payment/contract.js';
import type { PaymentEnd, PaymentInput, PaymentView } from '../../workflows/payment/contract.js';
import { ApiError } from '../http/problems/errors.js';
import { keyConflict } from '../http/idempotency.js';
import { workerUnavailable } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';
import { commanding, resourceCommands, leftBy } from './temporal/commands.js';
import type { Ended, ResourceCommands } from './temporal/commands.js';

export interface PaymentCommands extends ResourceCommands {
  /** It is not wanted any more, or was withdrawn before. */
  withdraw: (uid: string, withdrawal: Withdrawal) => Promise<void>;
  /** Has what failed tried again, or finds that this very retry was asked for before. A run that is over is taken up again. */
  retry: (uid: string, request: RetryRequest) => Promise<void>;
}

/** @param view how a payment stands, or ended. */
export function createPaymentCommands(
  calls: Calls,
  view: (uid: string) => Promise<PaymentView | undefined>,
): PaymentCommands {
  const kind = {
    workflowId: paymentWorkflowId,
    what: 'a payment',
    otherwise: 'payment_final',
  } as const;
  const command = commanding(calls, kind);
  return {
    retry: async (uid, request) => {
      const ended = await command(uid, retryPayment.name, request, (handle, as) =>
        handle.executeUpdate(retryPayment, { args: [request], ...as }),
      );
      if (ended !== undefined) await retryEnded(calls, ended, request);
    },
    ...resourceCommands(calls, kind, command, over),
    withdraw: async (uid, withdrawal) => {
      const ended = await command(uid, withdrawPayment.name, withdrawal, (handle, as) =>
        handle.executeUpdate(withdrawPayment, { args: [withdrawal], ...as }),
      );
      if (ended === undefined) return;
      const { state = 'unknown' } = (await view(uid)) ?? {};
      const refusal = refusalOfWithdrawal({ state, isWithdrawn: state === 'withdrawn', isUnsent: false });
      if (refusal !== undefined) throw new ApiError(refusal.code, refusal.detail);
    },
  };
}

/**
 * Judged by what the run has left, and begun with that and the retry in one.
 * @throws ApiError what forbids it, or `idempotency_conflict`.
 */
async function retryEnded(calls: Calls, ended: Ended, request: RetryRequest): Promise<void> {
  const workflowId = paymentWorkflowId(ended.uid);
  const state = await leftBy<PaymentEnd['carried']['state']>(calls, workflowId, ended);
  if (state === undefined) throw over();
  const repeat = repeatOfRetry(state, request);
  if (repeat === 'other') throw keyConflict();
  if (repeat === 'same') return;
  const now = new Date();
  const refusal = refusalOfRetry(state, now.toISOString());
  if (refusal !== undefined) throw new ApiError(refusal.code, refusal.detail);
  const { uid, connectionId, order } = state;
  const input: PaymentInput = { uid, connectionId, carried: carry(state), retry: request };
  await calls
    .short(() =>
      calls.client.workflow.start(PAYMENT_WORKFLOW, {
        workflowId,
        taskQueue: calls.taskQueue,
        args: [input],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'FAIL',
        staticSummary: 'taken up again by a retry',
        priority: fairnessOf(input),
        typedSearchAttributes: [
          { key: PAYMENT_STATE, value: 'retrying' },
          { key: AWAITING, value: 'provider-acceptance' },
          { key: AWAITING_SINCE, value: now },
          ...(connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: connectionId }]),
          ...(order === undefined ? [] : [{ key: AGREEMENT_UID, value: order.agreement_uid }]),
        ],
      }),
    )
    .catch((error: unknown) => {
      // An event, or another retry, has taken it up meanwhile: the same request is judged by that run.
      if (error instanceof WorkflowExecutionAlreadyStartedError) throw workerUnavailable(error);
      throw error;
    });
}

const over = (): ApiError =>
  new ApiError('payment_final', 'This payment is over; nothing can be asked of it.');
