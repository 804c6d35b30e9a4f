import { ConfirmConnection } from '../../../domain/connection/request.schema.js';
import { accountHash } from '../../../payments-api/account-hash.js';
import { CONNECTION } from './answer.schema.js';
import { answerOf } from '../resource.js';
import { accountsOf } from './accounts.js';
import { approvedRequest, namesOf } from '../../http/approval.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { ApprovalHeaders, ConnectionParams } from '../../http/parameters.schema.js';

const stated = contract({
  method: 'post',
  path: '/v1/connections/{id}/confirmation',
  operationId: 'confirmConnection',
  tags: ['connections'],
  summary: 'Confirm that the first account of a connection is the merchant’s',
  description:
    'Call this only while `account_check.state` is `to_confirm`, after you have checked with the merchant that the account is theirs; otherwise the answer is 409 `nothing_to_confirm`, also to a repeat. ' +
    'Until then, the tokens of the consent are used only for the check. From then on they are used for everything: `connection.healthy` is sent, and blocked agreements and payments resume. ' +
    'If it is not the merchant’s account, revoke the connection (`POST /v1/connections/{id}/revocation`) and send a new link.',
  task: 'custody.md#confirm-the-first-account',
  access: 'operate',
  connection: 'path',
  request: { params: ConnectionParams, headers: ApprovalHeaders, body: bodyOf(ConfirmConnection) },
  answers: { 200: json('The connection uses the tokens of the consent from now on.', CONNECTION.one) },
  problems: [404, 409, 429, 503],
});

export const confirmConnection = endpoint(stated, (dependencies) => async (c) => {
  const { id } = c.req.valid('param');
  const { expected_account: expected, account = '', reason } = c.req.valid('json');
  const approval = await approvedRequest(c, dependencies, stated.route.operationId, () =>
    accountsOf(dependencies, id),
  );
  const view = await dependencies.temporal.connections.confirm(id, {
    account: (expected && accountHash({ account: expected })) ?? account,
    by: namesOf(c.get('principal'), approval),
    reason,
  });
  return c.json(await answerOf(CONNECTION, dependencies, c, view), 200);
});
