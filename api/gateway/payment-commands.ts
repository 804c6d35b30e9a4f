// Sends commands to payment workflows. The workflow accepts a command, or its validator refuses it and writes nothing.
import { repeatOfUse } from '../../domain/commands/key-use.js';
import { refusalOfRetry, useOfRetry, type RetryRequest } from '../../domain/payment/retry.js';
import { refusalOfWithdrawal, type Withdrawal } from '../../domain/payment/withdrawal.js';
import { upgrade } from '../../workflows/contracts/every-workflow.js';
import {
  retryPayment,
  withdrawPayment,
  type PaymentEnd,
  type PaymentView,
} from '../../workflows/payment/contract.js';
import { ApiError } from '../http/problems/errors.js';
import { digestOf, keyConflict } from '../http/idempotency.js';
import type { Calls } from './temporal/calls.js';
import { commandsOf } from './temporal/commands.js';
import { isRecordedRepeat } from './temporal/recorded-before.js';
import { refusedUpdate } from './temporal/refusals.js';
import { createSharedCalls } from './temporal/update-limiter.js';
import { updatePayment } from './temporal/updates.js';

export interface PaymentCommands {
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
  const { once } = commandsOf(calls, 'payment');
  return {
    retry: retrying(calls),
    withdraw: async (uid, withdrawal) => {
      const ended = await once(uid, withdrawPayment, withdrawal);
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
  return async (uid, request) => {
    if (await isRecordedRepeat(calls, useOfRetry(uid, request))) return;
    const updateId = `${retryPayment.name}/${digestOf(request)}`;
    return once(`${uid} ${updateId}`, () =>
      updatePayment(calls, uid, {
        ...{ definition: retryPayment, request, updateId, by: 'a retry' },
        answered: ({ carried }) => retriedBefore(upgrade(carried), request),
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
