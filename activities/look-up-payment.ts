// In:  workflows/payment/workflow.ts wants to know how a payment stands at the provider.
// Out: payments-api/client.ts.
import { readFailure } from './failure.js';
import { lookAtPayment } from './look.js';
import type { PaymentLook } from '../domain/snapshot.js';
import type { Dependencies } from './dependencies.js';

export function lookUpPaymentActivity(deps: Dependencies) {
  return async function lookUpPayment(of: { uid: string; connectionId: string }): Promise<PaymentLook> {
    try {
      return await lookAtPayment(deps, of.connectionId, of.uid);
    } catch (error) {
      throw readFailure(error);
    }
  };
}
