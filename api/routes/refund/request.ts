import { isDescribedAsRefund } from '../../../domain/refund/lifecycle.js';
import { RequestRefund } from '../../../domain/refund/request.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { callerOf, requestedByCaller } from '../../http/caller.js';
import { keyUse, uidFrom } from '../../http/idempotency.js';
import { IdempotencyHeaders, UidParams, WaitQuery } from '../../http/parameters.schema.js';
import { assertSendable, wouldRefuse } from '../provider-check.js';
import { answerInTime } from '../resource.js';
import { REFUND } from './answer.schema.js';

const requested = contract({
  method: 'post',
  path: '/v1/payments/{uid}/refunds',
  operationId: 'requestRefund',
  tags: ['payments'],
  summary: 'Refund a settled payment in full or in part (idempotent by uid or Idempotency-Key)',
  description:
    'Call this to return money of a settled payment to the payer. `refund_payment` says how it is paid: from a float account, or by a payment under an agreement. ' +
    'If all refunds together would exceed the payment, the request is refused with `refund_over_payment`, and nothing is sent. ' +
    'Otherwise the answer is 202, and the worker sends the refund to the provider. Listen for `refund.processed` and `refund.failed`, or read `GET /v1/refunds/{uid}`. ' +
    'The amount of a failed refund becomes available again, for a refund with another `uid`. ' +
    'After a timeout, send the same request again: the same `uid` or `Idempotency-Key` with the same body returns the same refund, and never pays twice.',
  task: 'payments.md#refund-a-payment',
  access: 'write',
  connection: 'payment',
  request: {
    params: UidParams,
    query: WaitQuery,
    headers: IdempotencyHeaders,
    body: bodyOf(RequestRefund),
  },
  answers: {
    202: json(
      'Accepted. The state is `requested` or `processing` until the provider reports the outcome.',
      REFUND.one,
    ),
  },
  problems: [404, 409, 410, 422, 429, 503],
});

const NOT_DESCRIBED = {
  pointer: '/refund_payment/description',
  detail: 'expected a description that starts with REFUND (ZPREF12)',
};

export const requestRefund = endpoint(requested, (dependencies) => async (c) => {
  const { temporal } = dependencies;
  const paymentUid = c.req.valid('param').uid;
  const body = c.req.valid('json');
  const { uid: named, ...rest } = body;
  const order = { original_payment_uid: paymentUid, ...rest };
  const key = c.req.valid('header')['Idempotency-Key'];
  const caller = callerOf(c);
  const { principal } = caller;
  const uid = named ?? uidFrom('refund', { principal, key, of: paymentUid });
  const isRepeat = async (): Promise<boolean> =>
    requestedByCaller(await temporal.refunds.view(uid), caller) !== undefined;
  if (!isDescribedAsRefund(order)) throw wouldRefuse(dependencies, [NOT_DESCRIBED], 'refund');
  await assertSendable(dependencies, { operation: 'createRefund', request: { uid, ...order } }, isRepeat);
  const use = keyUse(c, key, { uid, body });
  const admitted = await temporal.refunds.request({ uid, order, use, by: principal }, caller);
  const first = requestedByCaller(admitted, caller);
  return c.json(await answerInTime(REFUND, dependencies, c, uid, { first }), 202);
});
