import { RequestPayment } from '../../../domain/payment/request.schema.js';
import { faultOfSubmitBefore, orderAndHandling } from '../../../domain/payment/handling.js';
import { JudgementAnswer, PAYMENT, judgementAnswer } from './answer.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { ApiError } from '../../http/problems/errors.js';
import { callerOf, requestedByCaller } from '../../http/caller.js';
import { keyUse, uidFrom } from '../../http/idempotency.js';
import { assertSendable } from '../provider-check.js';
import { IdempotencyHeaders, PaymentQuery, UidParams } from '../../http/parameters.schema.js';
import { answerInTime } from '../resource.js';

const stated = contract({
  method: 'post',
  path: '/v1/agreements/{uid}/payments',
  operationId: 'requestPayment',
  tags: ['payments'],
  summary: 'Create a payment under an agreement (idempotent by uid or Idempotency-Key)',
  description:
    'Call this to take money from the payer of an active agreement. The agreement first checks its terms. If it refuses the payment, nothing is sent: ' +
    '`code` names the rule, and `judgement` has its limit. ' +
    'Otherwise the answer is 202, and the worker sends the payment to the provider. The outcome usually follows within a minute, sometimes later. ' +
    'Listen for `payment.settled`, `payment.failed` and `payment.lapsed`, or read `GET /v1/payments/{uid}`. Do not deliver on the 202: wait for `settled`. ' +
    'After a timeout, send the same request again: the same `uid` or `Idempotency-Key` with the same body returns the same payment, and never debits the payer twice.',
  task: 'payments.md#create-a-payment',
  access: 'write',
  connection: 'agreement',
  request: {
    params: UidParams,
    query: PaymentQuery,
    headers: IdempotencyHeaders,
    body: bodyOf(RequestPayment),
  },
  answers: {
    200: json(
      'With `dry_run=true`: whether the agreement would allow the payment now. Nothing changed.',
      JudgementAnswer,
    ),
    202: json('Accepted, and not paid yet. `awaiting` names what the payment waits for.', PAYMENT.one),
  },
  problems: [404, 409, 410, 422, 429, 503],
});

export const requestPayment = endpoint(stated, (dependencies) => async (c) => {
  const { temporal } = dependencies;
  const agreementUid = c.req.valid('param').uid;
  const body = c.req.valid('json');
  const { uid: named, ...requested } = body;
  const { order: ordered, handling } = orderAndHandling(requested);
  const order = { agreement_uid: agreementUid, ...ordered };
  const key = c.req.valid('header')['Idempotency-Key'];
  const caller = callerOf(c);
  const { principal } = caller;
  const uid = named ?? uidFrom('payment', { principal, key, of: agreementUid });
  const isRepeat = async (): Promise<boolean> =>
    requestedByCaller(await temporal.payments.view(uid), caller) !== undefined;
  await assertSendable(dependencies, { operation: 'createPayment', request: { uid, ...order } }, isRepeat);
  await assertInTime(handling?.submitBefore, dependencies.clock.now(), isRepeat);
  const use = keyUse(c, key, { uid, body });
  const { dry_run: isDryRun } = c.req.valid('query');
  if (isDryRun) {
    requestedByCaller(await temporal.payments.view(uid), caller);
    const refusal = await temporal.payments.judge({ uid, order, use, handling }, caller);
    return c.json({ data: judgementAnswer(uid, refusal) }, 200);
  }
  const admitted = await temporal.payments.request(uid, order, use, handling, caller);
  const first = requestedByCaller(admitted, caller);
  return c.json(await answerInTime(PAYMENT, dependencies, c, uid, { first }), 202);
});

/** Checks `submit_before`. A repeat always passes. @throws ApiError `submit_before_out_of_range` */
async function assertInTime(
  submitBefore: string | undefined,
  nowMs: number,
  isRepeat: () => Promise<boolean>,
): Promise<void> {
  const detail = faultOfSubmitBefore(submitBefore, nowMs);
  if (detail === undefined || (await isRepeat())) return;
  throw new ApiError(
    'submit_before_out_of_range',
    '`submit_before` is in the past or too far in the future.',
    {
      errors: [{ pointer: '/submit_before', detail }],
    },
  );
}
