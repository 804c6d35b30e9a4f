import { submitOnce } from '../resource/submit-once.js';
import { unlessStopped } from '../temporal/stops.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

/** One attempt, and none while payments are stopped. */
export const submitPaymentActivity =
  (deps: Dependencies) =>
  ({ uid, connectionId, order }: Ref & { order: PaymentOrder }) =>
    submitOnce(
      deps,
      connectionId,
      unlessStopped(deps, connectionId, (call) => deps.payments.createPayment({ uid, ...order }, call)),
    );
