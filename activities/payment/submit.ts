import { submitOnce } from '../resource/submit-once.js';
import { requireNoStop } from '../temporal/stops.js';
import { requireInTime } from './in-time.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { Call } from '../../payments-api/client.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';
import type { SendingTime } from './in-time.js';

/** Makes one call; none if payments are stopped or the time limit has passed. */
export const submitPaymentActivity =
  (deps: Dependencies) =>
  ({ uid, connectionId, order, ...time }: Ref & SendingTime & { order: PaymentOrder }) => {
    const send = (call: Call) => deps.payments.createPayment({ uid, ...order }, call);
    const lastChecks = [requireNoStop(deps, connectionId), requireInTime(deps, time)];
    return submitOnce(deps, connectionId, send, lastChecks);
  };
