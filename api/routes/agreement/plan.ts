// A plan of payments under an agreement: to put one in place, to read it, and to end it.
import { PutPlan } from '../../../domain/agreement/plan.schema.js';
import { handlingOf } from '../../../domain/payment/handling.js';
import { PlanAnswer, planAnswer } from './plan-answer.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { found } from '../../http/problems/errors.js';
import { planUidBase } from '../../http/idempotency.js';
import { assertSendable } from '../provider-check.js';
import { UidParams } from '../../http/parameters.schema.js';
import type { ApiDependencies } from '../../http/dependencies.js';

/** What they have in common. */
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
  summary: 'Plan payments ahead, in place of what was planned before; a repeat changes nothing',
  access: 'write',
  maxBodyBytes: 64 * 1024,
  request: { params: UidParams, body: bodyOf(PutPlan) },
  answers: { 200: json('The plan, now or before.', PlanAnswer) },
  problems: [404, 409, 422, 429, 503],
});

export const putPlan = endpoint(put, (dependencies) => async (c) => {
  const { uid } = c.req.valid('param');
  const { schedule, on_missed: onMissed, retry, ...requested } = c.req.valid('json');
  // The uid and the amount of each payment come with its date; the schema has judged the amounts.
  const first = { uid, amount: 1, agreement_uid: uid, ...requested };
  await assertSendable(dependencies, { operation: 'createPayment', request: first });
  await dependencies.temporal.agreements.putPlan(uid, {
    schedule,
    onMissed,
    order: { agreement_uid: uid, ...requested },
    handling: handlingOf({ retry }),
    uidBase: planUidBase(uid),
    by: c.get('principal'),
  });
  return c.json(await planOf(dependencies, uid), 200);
});

const get = contract({
  ...PLAN,
  method: 'get',
  operationId: 'getPlan',
  tags: ['payments'],
  summary: 'The plan of an agreement, with its next ten dates',
  access: 'read',
  request: { params: UidParams },
  answers: { 200: json('The plan.', PlanAnswer) },
  problems: [404, 503],
});

export const getPlan = endpoint(get, (dependencies) => async (c) => {
  const { uid } = c.req.valid('param');
  return c.json(await planOf(dependencies, uid), 200);
});

const end = contract({
  ...PLAN,
  method: 'delete',
  operationId: 'endPlan',
  tags: ['payments'],
  summary: 'End the plan; what was taken is not called back, and a repeat is answered the same',
  access: 'write',
  request: { params: UidParams },
  answers: { 200: json('Ended, now or before.', PlanAnswer) },
  problems: [404, 409, 429, 503],
});

export const endPlan = endpoint(end, (dependencies) => async (c) => {
  const { uid } = c.req.valid('param');
  await dependencies.temporal.agreements.endPlan(uid, { by: c.get('principal') });
  return c.json(await planOf(dependencies, uid), 200);
});
