// In:  workflows/payment/steps.ts submits a payment: one attempt, ever, per time that it asks.
// Out: payments-api/client.ts.
import { submitOnce } from './follow/submit.js';
import type { PaymentOrder } from '../domain/mandate.js';
import type { Fetched, PaymentSnapshot } from '../domain/snapshot.js';
import type { Dependencies } from './dependencies.js';

export interface SubmitPaymentArgs {
  uid: string;
  connectionId: string;
  order: PaymentOrder;
}

export function submitPaymentActivity(deps: Dependencies) {
  return function submitPayment(args: SubmitPaymentArgs): Promise<Fetched<PaymentSnapshot>> {
    const { uid, connectionId, order } = args;
    return submitOnce(deps, connectionId, (call) => deps.payments.createPayment({ uid, ...order }, call));
  };
}
