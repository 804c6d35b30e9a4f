import { refundIn } from '../resource/snapshot.js';
import { submitOnce } from '../resource/submit-once.js';
import { requireNoStop } from '../temporal/stops.js';
import type { RefundOrder } from '../../domain/refund/request.schema.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

/** Makes one call; none if payments are stopped. */
export const submitRefundActivity =
  (deps: Dependencies) =>
  ({ uid, connectionId, order }: Ref & { order: RefundOrder }) =>
    submitOnce(
      deps,
      connectionId,
      async (call) => refundIn(await deps.payments.createRefund({ uid, ...order }, call), uid, 'created'),
      [requireNoStop(deps, connectionId)],
    );
