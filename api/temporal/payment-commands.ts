// What the API asks a payment to do: each is answered by its workflow, or refused there and nothing written.
// In:  api/temporal/door.ts. Out: workflows/payment/workflow.ts, by its contract alone.
import { repeatOfResolution } from '../../domain/repeat.js';
import type { AttentionResolution } from '../../domain/resolution.js';
import { refusalOfWithdrawal } from '../../domain/withdrawal.js';
import type { Withdrawal } from '../../domain/withdrawal.js';
import {
  lookUpNow,
  paymentWorkflowId,
  resolveAttention,
  withdrawPayment,
} from '../../workflows/payment/contract.js';
import type { PaymentEnd, PaymentView } from '../../workflows/payment/contract.js';
import { ApiError } from '../errors.js';
import type { Calls } from './calls.js';
import { assertRepeat, commanding, leftBy } from './commands.js';

export interface PaymentCommands {
  /** It is not wanted any more, or was withdrawn before. */
  withdraw: (uid: string, withdrawal: Withdrawal) => Promise<void>;
  /** Has the provider asked how it stands. */
  lookUp: (uid: string) => Promise<void>;
  /** States that a flag has been dealt with, or finds that this very statement was taken before. */
  resolveAttention: (uid: string, resolution: AttentionResolution) => Promise<void>;
}

/** @param view how a payment stands, or ended. */
export function createPaymentCommands(
  calls: Calls,
  view: (uid: string) => Promise<PaymentView | undefined>,
): PaymentCommands {
  const command = commanding(calls, {
    workflowId: paymentWorkflowId,
    what: 'a payment',
    otherwise: 'payment_final',
  });
  return {
    lookUp: async (uid) => {
      const ended = await command(uid, lookUpNow.name, undefined, (handle, as) =>
        handle.executeUpdate(lookUpNow, as),
      );
      if (ended !== undefined) throw over();
    },
    resolveAttention: async (uid, resolution) => {
      const ended = await command(uid, resolveAttention.name, resolution, (handle, as) =>
        handle.executeUpdate(resolveAttention, { args: [resolution], ...as }),
      );
      if (ended === undefined) return;
      const left = await leftBy<PaymentEnd['carried']['state']>(calls, paymentWorkflowId(uid), ended);
      assertRepeat(left === undefined ? 'none' : repeatOfResolution(left, resolution), over);
    },
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

const over = (): ApiError =>
  new ApiError('payment_final', 'This payment is over; nothing can be asked of it.');
