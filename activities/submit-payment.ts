// In:  workflows/payment.ts submits a payment: one attempt, ever, per time that it asks.
// Out: payments-api/client.ts.
import { cancellationSignal } from '@temporalio/activity';
import { writeFailure } from './failure.js';
import type { PaymentOrder } from '../domain/mandate.js';
import type { PaymentLook } from '../domain/snapshot.js';
import type { Dependencies } from './dependencies.js';

export interface SubmitPaymentArgs {
  uid: string;
  connectionId: string;
  order: PaymentOrder;
}

export function submitPaymentActivity(deps: Dependencies) {
  return async function submitPayment({ uid, connectionId, order }: SubmitPaymentArgs): Promise<PaymentLook> {
    try {
      return await deps.withAccess(connectionId, async (accessToken) => {
        const lookedAt = new Date(deps.now()).toISOString();
        const call = { accessToken, signal: cancellationSignal() };
        return { lookedAt, payment: await deps.payments.createPayment({ uid, ...order }, call) };
      });
    } catch (error) {
      throw writeFailure(error);
    }
  };
}
