// In:  workflows/payment/workflow.ts submits a payment: one attempt, ever, per time that it asks.
// Out: payments-api/client.ts.
import { sleep } from '@temporalio/activity';
import { throttledMs } from '../payments-api/errors.js';
import { writeFailure } from './failure.js';
import type { PaymentOrder } from '../domain/mandate.js';
import type { PaymentLook } from '../domain/snapshot.js';
import type { Dependencies } from './dependencies.js';

export interface SubmitPaymentArgs {
  uid: string;
  connectionId: string;
  order: PaymentOrder;
}

/** How long our own budget is waited for: a token, a turn and the call itself must still fit into the activity's 90 s. */
const PATIENCE_MS = 30_000;

export function submitPaymentActivity(deps: Dependencies) {
  /**
   * Sends it once. Where our own budget holds it back nothing has been sent, and Temporal makes no second attempt: so it
   * is waited for here, and what is held back for longer fails as `not_sent`, which is no unknown outcome.
   */
  return async function submitPayment({ uid, connectionId, order }: SubmitPaymentArgs): Promise<PaymentLook> {
    const submit = (): Promise<PaymentLook> =>
      deps.withAccess(connectionId, async (call) => {
        const lookedAt = new Date(deps.now()).toISOString();
        return { lookedAt, payment: await deps.payments.createPayment({ uid, ...order }, call) };
      });
    for (const untilMs = deps.now() + PATIENCE_MS; ;) {
      try {
        return await submit();
      } catch (error) {
        const waitMs = throttledMs(error);
        if (waitMs === undefined || deps.now() + waitMs > untilMs) throw writeFailure(error);
        await sleep(waitMs);
      }
    }
  };
}
