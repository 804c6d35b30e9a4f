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
  description:
    'Call this to ask a payer for permission to debit their account. The worker creates the agreement at the provider, and the payer accepts or ' +
    'declines it in their bank’s app. No money moves. ' +
    'The answer 202 comes before the payer decides, which may take five days. Listen for `agreement.active`, `agreement.declined`, ' +
    '`agreement.expired` and `agreement.failed`, or read `GET /v1/agreements/{uid}`. In state `active`, take payments with ' +
    '`POST /v1/agreements/{uid}/payments`. ' +
    'After a timeout, send the same request again: the same `uid` and body return the same agreement. Another body under the same `uid` is refused.',
  task: 'agreement.md#create-an-agreement',
  access: 'write',
  connection: 'body',
  request: { query: WaitQuery, headers: IdempotencyHeaders, body: bodyOf(CreateAgreement) },
  answers: {
    202: json(
      'Accepted. The state is `pending` or `created` until the payer decides; `payer_action` has a text for them.',
      AGREEMENT.one,
    ),
  },
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
