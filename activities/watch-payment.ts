// In:  workflows/payment/workflow.ts awaits an outcome that a notification may fail to tell.
// Out: payments-api/client.ts.
import { readFailure } from './failure.js';
import { lookAtPayment } from './look.js';
import { waitForNextLook } from './watch.js';
import type { PaymentLook } from '../domain/snapshot.js';
import type { Dependencies } from './dependencies.js';
import type { WatchArgs } from './watch-agreement.js';

export function watchPaymentActivity(deps: Dependencies) {
  /** Each attempt is one look. Nothing new fails the attempt, and Temporal makes the next one when the ladder says. */
  return async function watchPayment({ uid, connectionId, ladder, shown }: WatchArgs): Promise<PaymentLook> {
    const seen = await lookAtPayment(deps, connectionId, uid).catch((error: unknown) => {
      throw readFailure(error);
    });
    if (seen.payment.state !== shown) return seen;
    throw waitForNextLook(ladder, `the provider still shows ${shown}`);
  };
}
