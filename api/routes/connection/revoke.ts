import { RevokeConnection } from '../../../domain/connection/request.schema.js';
import { CONNECTION } from './answer.schema.js';
import { answerOf } from '../resource.js';
import { accountsOf } from './accounts.js';
import { approvedRequest, namesOf } from '../../http/approval.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { ApprovalHeaders, ConnectionParams } from '../../http/parameters.schema.js';

const stated = contract({
  method: 'post',
  path: '/v1/connections/{id}/revocation',
  operationId: 'revokeConnection',
  tags: ['connections'],
  summary: 'Revoke a connection by deleting our tokens',
  description:
    'Call this if a merchant leaves, or if tokens may have leaked. It deletes our tokens and invalidates open links, and workers stop using the tokens within a minute. ' +
    'The agreements and payments of the connection wait until the merchant consents again (`POST /v1/connections/{id}/reauthorisation`). ' +
    'Nothing is sent to the provider, because it documents no call to revoke a consent: the merchant must also revoke it there. ' +
    'A repeat deletes nothing more, but also invalidates links that were opened since.',
  task: 'custody.md#revoke-a-connection',
  access: 'operate',
  connection: 'path',
  request: { params: ConnectionParams, headers: ApprovalHeaders, body: bodyOf(RevokeConnection) },
  answers: {
    200: json('The tokens are deleted. `attention` shows the principal and the reason.', CONNECTION.one),
  },
  problems: [404, 409, 429, 503],
});

export const revokeConnection = endpoint(stated, (dependencies) => async (c) => {
  const { id } = c.req.valid('param');
  const { reason } = c.req.valid('json');
  const approval = await approvedRequest(c, dependencies, stated.route.operationId, () =>
    accountsOf(dependencies, id),
  );
  const by = namesOf(c.get('principal'), approval);
  const view = await dependencies.temporal.connections.revoke(id, { reason, by });
  return c.json(await answerOf(CONNECTION, dependencies, c, view), 200);
});
