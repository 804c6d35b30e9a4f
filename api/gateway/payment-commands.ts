// Sends commands to payment workflows. The workflow accepts a command, or its validator refuses it and writes nothing.
import { recipientOf } from '../../delivery/recipients.js';
import { repeatOfUse } from '../../domain/commands/key-use.js';
import { refusalOfRetry, useOfRetry } from '../../domain/payment/retry.js';
import type { RetryRequest } from '../../domain/payment/retry.js';
import { refusalOfWithdrawal } from '../../domain/payment/withdrawal.js';
import type { Withdrawal } from '../../domain/payment/withdrawal.js';
import { upgrade } from '../../workflows/contracts/every-workflow.js';
import { paymentWorkflowId, retryPayment, withdrawPayment } from '../../workflows/payment/contract.js';
import type { PaymentEnd, PaymentView } from '../../workflows/payment/contract.js';
import { ApiError } from '../http/problems/errors.js';
import { digestOf, keyConflict } from '../http/idempotency.js';
import type { Calls } from './temporal/calls.js';
import { commanding, resourceCommands, updateReopening } from './temporal/commands.js';
import type { ResourceCommands } from './temporal/commands.js';
import { refusedUpdate } from './temporal/refusals.js';
import { createSharedCalls } from './temporal/update-limiter.js';

export interface PaymentCommands extends ResourceCommands {
  /** Withdraws an unsent payment. A repeat changes nothing. */
  withdraw: (uid: string, withdrawal: Withdrawal) => Promise<void>;
  /** Retries a failed payment and reopens its run if it has ended. A repeat changes nothing. */
  retry: (uid: string, request: RetryRequest) => Promise<void>;
}

/** @param view reads a payment that is open or has ended. */
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
    retry: retrying(calls),
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

/** Retries a payment. An ended run is reopened only for a new retry that would be allowed. */
function retrying(calls: Calls): PaymentCommands['retry'] {
  const once = createSharedCalls<void>();
  return (uid, request) => {
    const updateId = `${retryPayment.name}/${digestOf(request)}`;
    const recipient = { ...recipientOf('payment', uid, undefined), what: 'a payment' };
    return once(`${uid} ${updateId}`, () =>
      updateReopening(calls, recipient, {
        ...{ update: retryPayment, args: [request], updateId, by: 'a retry' },
        answered: ({ carried }: PaymentEnd) => retriedBefore(upgrade(carried), request),
      }).catch((error: unknown) => {
        throw refusedUpdate(error, 'payment_final');
      }),
    );
  };
}

/** Answers a repeat from the ended run. @throws ApiError the rule that forbids the retry, or `idempotency_conflict`. */
function retriedBefore(
  state: PaymentEnd['carried']['state'],
  request: RetryRequest,
): { answer: void } | undefined {
  const repeat = repeatOfUse(state, useOfRetry(state.uid, request));
  if (repeat === 'other') throw keyConflict();
  if (repeat === 'same') return { answer: undefined };
  const refusal = refusalOfRetry(state, new Date().toISOString());
  if (refusal !== undefined) throw new ApiError(refusal.code, refusal.detail);
  return undefined;
}

const over = (): ApiError =>
  new ApiError('payment_final', 'This payment has ended and accepts no more commands.');
