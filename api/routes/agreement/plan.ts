// Endpoints to set, read and end the payment plan of an agreement.
import { PutPlan } from '../../../domain/agreement/plan.schema.js';
import { handlingOf } from '../../../domain/payment/handling.js';
import { PlanAnswer, planAnswer } from './plan-answer.schema.js';
import { READ, bodyOf, contract, endpoint, json, type Endpoint } from '../../http/contract.js';
import { found } from '../../http/problems/errors.js';
import { planUidBase } from '../../http/idempotency.js';
import { assertSendable } from '../provider-check.js';
import { UidParams } from '../../http/parameters.schema.js';
import type { ApiDependencies } from '../../http/dependencies.js';

const PLAN = {
  path: '/v1/agreements/{uid}/plan',
  connection: 'agreement',
} as const;

async function planOf({ temporal }: ApiDependencies, uid: string) {
  const { plan } = found(await temporal.agreements.view(uid), 'an agreement');
  return { data: planAnswer(found(plan, 'a plan')) };
}

const put = contract({
  ...PLAN,
  method: 'put',
  operationId: 'putPlan',
  tags: ['payments'],
  summary: 'Set the payment plan of an agreement (idempotent)',
  description:
    'Call this if you want the worker to take payments on fixed dates. It requests one payment for each date, between nine and ten in Sydney. ' +
    'The plan replaces the previous one, and payments that were already requested continue. The request is refused if a date has passed or the terms forbid it. ' +
    'Listen for the events of the payments, and for `plan.date_left_out` if nothing was taken on a date, also if it is `owed` and taken later. ' +
    'A repeat of the same request changes nothing, and no date is paid twice.',
  task: 'payments.md#plan-payments',
  access: 'write',
  maxBodyBytes: 64 * 1024,
  request: { params: UidParams, body: bodyOf(PutPlan) },
  answers: { 200: json('The new plan. Check `upcoming` and `warnings`.', PlanAnswer) },
  problems: [404, 409, 410, 422, 429, 503],
});

const putPlan = endpoint(put, (dependencies) => async (c) => {
  const { uid } = c.req.valid('param');
  const { schedule, on_missed: onMissed, on_holiday: onHoliday, retry, ...requested } = c.req.valid('json');
  // Each date determines the uid and amount of its payment. The schema has already validated the amounts.
  const first = { uid, amount: 1, agreement_uid: uid, ...requested };
  await assertSendable(dependencies, { operation: 'createPayment', request: first });
  await dependencies.temporal.agreements.putPlan(uid, {
    schedule,
    onMissed,
    onHoliday,
    order: { agreement_uid: uid, ...requested },
    handling: handlingOf({ retry }),
    uidBase: planUidBase(uid),
    by: c.get('principal'),
  });
  return c.json(await planOf(dependencies, uid), 200);
});

const get = contract({
  ...PLAN,
  ...READ,
  operationId: 'getPlan',
  tags: ['payments'],
  summary: 'Get the payment plan of an agreement, with its next ten dates',
  description:
    'Returns the plan that was set last, also if it has finished or was ended. `upcoming` shows the next dates, and `log` shows what happened on the latest ones. ' +
    'An agreement that never had a plan gets 404.',
  task: 'payments.md#read-a-plan',
  request: { params: UidParams },
  answers: { 200: json('The plan as it is now.', PlanAnswer) },
});

const getPlan = endpoint(get, (dependencies) => async (c) => {
  const { uid } = c.req.valid('param');
  return c.json(await planOf(dependencies, uid), 200);
});

const end = contract({
  ...PLAN,
  method: 'delete',
  operationId: 'endPlan',
  tags: ['payments'],
  summary: 'End the payment plan of an agreement; requested payments continue (idempotent)',
  description:
    'Stops the plan: the worker requests no more payments for it. Payments that were already requested continue: withdraw them with ' +
    '`POST /v1/payments/{uid}/withdrawal` if they are unsent. The agreement stays as it is, and you can set another plan. A repeat changes nothing.',
  task: 'payments.md#end-a-plan',
  access: 'write',
  request: { params: UidParams },
  answers: { 200: json('The plan, which has ended.', PlanAnswer) },
  problems: [404, 409, 410, 429, 503],
});

const endPlan = endpoint(end, (dependencies) => async (c) => {
  const { uid } = c.req.valid('param');
  await dependencies.temporal.agreements.endPlan(uid, { by: c.get('principal') });
  return c.json(await planOf(dependencies, uid), 200);
});

export const planEndpoints: readonly Endpoint[] = [putPlan, getPlan, endPlan];
