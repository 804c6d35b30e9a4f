// In:  workflows/payment/workflow.ts does not know whether the provider has a payment.
// Out: payments-api/client.ts.
import { PaymentsApiError } from '../payments-api/errors.js';
import { readFailure } from './failure.js';
import { lookAtPayment } from './look.js';
import type { PaymentLook } from '../domain/snapshot.js';
import type { Dependencies } from './dependencies.js';

export function findPaymentActivity(deps: Dependencies) {
  /** The payment, or null when the provider says that it knows no such uid. */
  return async function findPayment(of: { uid: string; connectionId: string }): Promise<PaymentLook | null> {
    try {
      return await lookAtPayment(deps, of.connectionId, of.uid);
    } catch (error) {
      if (error instanceof PaymentsApiError && error.code === 'not_found') return null;
      throw readFailure(error);
    }
  };
}
