import { isVacant } from '../../../domain/agreement/repeat.js';
import { CreateAgreement } from '../../../domain/agreement/request.schema.js';
import { AGREEMENT } from './answer.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { callerOf, requestedByCaller } from '../../http/caller.js';
import { keyUse } from '../../http/idempotency.js';
import { assertMayInitiate } from '../initiator-check.js';
import { withinBinding } from '../within-binding.js';
import { assertSendable } from '../provider-check.js';
import { IdempotencyHeaders, WaitQuery } from '../../http/parameters.schema.js';
import { answerInTime } from '../resource.js';

const stated = contract({
  method: 'post',
  path: '/v1/agreements',
  operationId: 'createAgreement',
  tags: ['agreements'],
  summary: 'Create an agreement (idempotent by uid)',
  access: 'write',
  connection: 'body',
  request: { query: WaitQuery, headers: IdempotencyHeaders, body: bodyOf(CreateAgreement) },
  answers: { 202: json('Accepted. The payer may not have answered yet.', AGREEMENT.one) },
  problems: [409, 410, 422, 503],
});

export const createAgreement = endpoint(stated, (dependencies) => async (c) => {
  const { temporal } = dependencies;
  const body = c.req.valid('json');
  const { uid, connection, payer, ...mandate } = body;
  const caller = callerOf(c);
  const isRepeat = async (): Promise<boolean> => {
    const found = await temporal.agreements.view(uid);
    if (found === undefined || isVacant(found)) return false;
    requestedByCaller(found, caller);
    return true;
  };
  await assertSendable(
    dependencies,
    { operation: 'createAgreement', request: { uid, ...mandate } },
    isRepeat,
  );
  await assertMayInitiate(withinBinding(dependencies, caller), { connection, ...mandate }, isRepeat);
  const use = keyUse(c, c.req.valid('header')['Idempotency-Key'], { uid, body });
  const first = await temporal.agreements.start({ uid, connection, mandate, payer, use, caller });
  return c.json(await answerInTime(AGREEMENT, dependencies, c, uid, { first }), 202);
});
