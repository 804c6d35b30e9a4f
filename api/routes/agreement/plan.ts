// Endpoints to set, read and end the payment plan of an agreement.
import { PutPlan } from '../../../domain/agreement/plan.schema.js';
import { handlingOf } from '../../../domain/payment/handling.js';
import { PlanAnswer, planAnswer } from './plan-answer.schema.js';
import { READ, bodyOf, contract, endpoint, json } from '../../http/contract.js';
import type { Endpoint } from '../../http/contract.js';
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
  access: 'write',
  maxBodyBytes: 64 * 1024,
  request: { params: UidParams, body: bodyOf(PutPlan) },
  answers: { 200: json('The plan.', PlanAnswer) },
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
  request: { params: UidParams },
  answers: { 200: json('The plan.', PlanAnswer) },
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
  access: 'write',
  request: { params: UidParams },
  answers: { 200: json('The ended plan.', PlanAnswer) },
  problems: [404, 409, 410, 429, 503],
});

const endPlan = endpoint(end, (dependencies) => async (c) => {
  const { uid } = c.req.valid('param');
  await dependencies.temporal.agreements.endPlan(uid, { by: c.get('principal') });
  return c.json(await planOf(dependencies, uid), 200);
});

export const planEndpoints: readonly Endpoint[] = [putPlan, getPlan, endPlan];
