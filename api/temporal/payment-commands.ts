// What the API asks a payment to do: each is answered by its workflow, or refused there and nothing written.
// In:  api/temporal/door.ts. Out: workflows/payment/workflow.ts, by its contract alone.
import { refusalOfWithdrawal } from '../../domain/withdrawal.js';
import type { Withdrawal } from '../../domain/withdrawal.js';
import { paymentWorkflowId, withdrawPayment } from '../../workflows/payment/contract.js';
import type { PaymentView } from '../../workflows/payment/contract.js';
import { ApiError } from '../errors.js';
import type { Calls } from './calls.js';
import { commanding } from './commands.js';

export interface PaymentCommands {
  /** It is not wanted any more, or was withdrawn before. */
  withdraw: (uid: string, withdrawal: Withdrawal) => Promise<void>;
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
