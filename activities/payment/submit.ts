import { submitOnce } from '../resource/submit-once.js';
import { unlessStopped } from '../temporal/stops.js';
import { ifInTime } from './in-time.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { Call } from '../../payments-api/client.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';
import type { SendingTime } from './in-time.js';

/** Makes one attempt; none if payments are stopped or the time limit has passed. */
export const submitPaymentActivity =
  (deps: Dependencies) =>
  ({ uid, connectionId, order, ...time }: Ref & SendingTime & { order: PaymentOrder }) => {
    const send = (call: Call) => deps.payments.createPayment({ uid, ...order }, call);
    return submitOnce(deps, connectionId, unlessStopped(deps, connectionId, ifInTime(deps, time, send)));
  };
