// In:  workflows/payment/workflow.ts was told of a payment that nobody asked for here.
// Out: payments-api/client.ts, for each connection that may own it.
import { findOwner } from './owner.js';
import { lookAtPayment } from './look.js';
import type { PaymentLook } from '../domain/snapshot.js';
import type { Dependencies } from './dependencies.js';

export function adoptPaymentActivity(deps: Dependencies) {
  return function adoptPayment(of: {
    uid: string;
    connectionId?: string | undefined;
  }): Promise<PaymentLook & { owner: string }> {
    return findOwner(deps, of.connectionId, (connectionId) => lookAtPayment(deps, connectionId, of.uid));
  };
}
