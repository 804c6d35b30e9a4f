import type { Context } from 'hono';
import { ReauthoriseConnection } from '../../../domain/connection/request.schema.js';
import { CONNECTION, connectionAnswer } from './answer.schema.js';
import { accountsOf } from './accounts.js';
import { beginUrl } from './oauth-state.js';
import { requireReturnUrl } from './return-url.js';
import { approvedRequest, namesOf } from '../../http/approval.js';
import { contract, endpoint, json, optionalBodyOf } from '../../http/contract.js';
import { withScope } from '../../http/identify.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { scopedKey } from '../../http/idempotency.js';
import { found } from '../../http/problems/errors.js';
import { ApprovalHeaders, ConnectionParams, IdempotencyHeaders } from '../../http/parameters.schema.js';

const stated = contract({
  method: 'post',
  path: '/v1/connections/{id}/reauthorisation',
  operationId: 'reauthoriseConnection',
  tags: ['connections'],
  summary: 'Renew the consent of a connection, for example to grant another scope',
  description:
    'Call this after `connection.needs_reauthorisation`, if `scopes.missing` is not empty, or if an earlier link has expired, and send the merchant to `authorize_url`. ' +
    'The present tokens stay in use until the merchant has consented; then `connection.healthy` is sent if the connection was not healthy, and blocked agreements and payments resume automatically. ' +
    'Each call invalidates the earlier link. A repeat with the same `Idempotency-Key` returns a link to the same consent round while that round is open; after ten minutes, after its use, or after another call, it opens a new one. ' +
    'A consent for a different account is refused, unless the request has `accept_other_account`, which needs the scope `operate`.',
  task: 'custody.md#renew-a-consent',
  access: 'write',
  connection: 'path',
  request: {
    params: ConnectionParams,
    headers: IdempotencyHeaders.extend(ApprovalHeaders.shape),
    body: optionalBodyOf(ReauthoriseConnection),
  },
  answers: {
    200: json(
      'Send the merchant to `authorize_url`. Links of earlier rounds are no longer valid.',
      CONNECTION.one,
    ),
  },
  problems: [404, 409, 429, 503],
});

export const reauthoriseConnection = endpoint(stated, (dependencies) => async (c) => {
  const { temporal, temporalUi, sessionKeys, authorisation } = dependencies;
  const { id } = c.req.valid('param');
  const { reason, return_url: returnUrl } = c.req.valid('json');
  requireReturnUrl(authorisation.returnUrls, returnUrl);
  c.set('audited', { connection: id, accept_other_account: reason !== undefined });
  const key = c.req.valid('header')['Idempotency-Key'];
  // A reason is only allowed to accept another account.
  const acceptance = reason && { by: await accepting(c, dependencies, id), reason };
  const use = key === undefined ? undefined : scopedKey(c, key);
  const round = await temporal.connections.reauthorise(id, {
    key: use,
    needsConfirmation: authorisation.needsConfirmation,
    ...(acceptance && { acceptance }),
  });
  const view = found(await temporal.connections.view(id), 'a connection');
  const authorizeUrl = beginUrl(sessionKeys, authorisation, { connection: id, ...round, returnUrl });
  const data = connectionAnswer(
    temporalUi,
    view,
    { neededScopes: dependencies.authorisation.scopes },
    authorizeUrl,
  );
  return c.json({ data }, 200);
});

/** Who accepts another account. @throws ApiError `insufficient_scope`, and those of an approval. */
async function accepting(c: Context<Env>, dependencies: ApiDependencies, id: string): Promise<string> {
  const { principal } = withScope(c.get('apiKey'), 'operate');
  const covered = () => accountsOf(dependencies, id);
  return namesOf(principal, await approvedRequest(c, dependencies, stated.route.operationId, covered));
}
