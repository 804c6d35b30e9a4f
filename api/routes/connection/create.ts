import type { Context } from 'hono';
import { CreateConnection } from '../../../domain/connection/request.schema.js';
import type { ConnectionView, ConsentRequest, ConsentRound } from '../../../workflows/connection/contract.js';
import { firstView } from '../../../workflows/connection/view.js';
import { CONNECTION, connectionAnswer } from './answer.schema.js';
import { accountsOf } from './accounts.js';
import { answerOf } from '../resource.js';
import { beginUrl } from './oauth-state.js';
import { requireReturnUrl } from './return-url.js';
import { accountHash } from '../../../payments-api/account-hash.js';
import { approvedRequest } from '../../http/approval.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { contract, endpoint, json, optionalBodyOf } from '../../http/contract.js';
import { uidFrom } from '../../http/idempotency.js';
import { ApiError } from '../../http/problems/errors.js';
import { ApprovalHeaders, IdempotencyHeaders } from '../../http/parameters.schema.js';
import type { Clock } from '../../http/wait.js';

const stated = contract({
  method: 'post',
  path: '/v1/connections',
  operationId: 'createConnection',
  tags: ['connections'],
  summary: 'Create a connection and get the link for the merchant’s consent (idempotent)',
  description:
    'Call this once for each merchant, before its first agreement: a connection is the merchant’s consent that you may act for its account at the provider. ' +
    'Send the merchant to `authorize_url`: the link works once, in one browser, and for ten minutes. ' +
    'This request sends nothing to the provider; agreements that name the connection before the consent are accepted, and wait.\n\n' +
    'After the consent, `status` is `healthy`: poll `GET /v1/connections/{id}`, or wait for the event `connection.healthy`. Then name the `id` as `connection` when you create agreements. ' +
    'Name the merchant’s account in `expected_account`, so that only its consent counts. Without it, the first consent waits for an operator (`account_check.state` is `to_confirm`, and `attention.raised` is sent) until `POST /v1/connections/{id}/confirmation`, unless `CONSENT_CONFIRMATION=off`.\n\n' +
    'A repeat with the same `id` or `Idempotency-Key` returns the same connection. While it has no valid consent, each repeat has a new link that replaces the earlier one; once it is healthy, `authorize_url` is null.',
  task: 'custody.md#connect-a-merchant',
  access: 'write',
  connection: 'body',
  request: {
    headers: IdempotencyHeaders.extend(ApprovalHeaders.shape),
    body: optionalBodyOf(CreateConnection),
  },
  answers: {
    200: json(
      'The connection already exists. The answer has a new `authorize_url` if it still needs consent, and null otherwise.',
      CONNECTION.one,
    ),
    201: json('The connection was created. Send the merchant to `authorize_url`.', CONNECTION.one),
  },
  problems: [409, 503],
});

export const createConnection = endpoint(stated, (dependencies) => async (c) => {
  const { temporal, temporalUi, sessionKeys, authorisation, clock } = dependencies;
  const key = c.req.valid('header')['Idempotency-Key'];
  const { expected_account: expected, return_url: returnUrl, ...body } = c.req.valid('json');
  requireReturnUrl(authorisation.returnUrls, returnUrl);
  const expectedAccount = expected && accountHash({ account: expected });
  const id = body.id ?? uidFrom('connection', { principal: c.get('principal'), key });
  const found = await temporal.connections.view(id);
  c.set('audited', { connection: id, expects_account: expectedAccount !== undefined });
  requireSameAccount(found, expectedAccount);
  if (found?.status === 'healthy') return c.json(await answerOf(CONNECTION, dependencies, c, found), 200);
  const round = await openRound(c, dependencies, id, {
    expectedAccount,
    needsConfirmation: authorisation.needsConfirmation,
  });
  const view = found ?? started(id, round, clock);
  const authorizeUrl = beginUrl(sessionKeys, authorisation, { connection: id, ...round, returnUrl });
  const data = connectionAnswer(
    temporalUi,
    view,
    { neededScopes: dependencies.authorisation.scopes },
    authorizeUrl,
  );
  return c.json({ data }, found === undefined ? 201 : 200);
});

/** With dual control, an operator needs an approval to replace the account that an earlier request expected, as this confirms an account. */
async function openRound(
  c: Context<Env>,
  dependencies: ApiDependencies,
  id: string,
  request: ConsentRequest,
): Promise<ConsentRound> {
  const isOperator = c.get('apiKey')?.scopes.includes('operate') === true;
  const begin = (mayReplace: boolean): Promise<ConsentRound> =>
    dependencies.temporal.connections.begin(id, { ...request, isOperator: mayReplace });
  if (!isOperator || !dependencies.isDualControl) return begin(isOperator);
  try {
    return await begin(false);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'other_account') throw error;
    await approvedRequest(c, dependencies, stated.route.operationId, () => accountsOf(dependencies, id));
    return begin(true);
  }
}

function requireSameAccount(found: ConnectionView | undefined, expected: string | undefined): void {
  const bound = found?.account?.id;
  if (bound === undefined || expected === undefined || bound === expected) return;
  throw new ApiError('other_account', 'This connection already belongs to another account.', {
    errors: [{ pointer: '/expected_account', detail: 'expected the account that consented before' }],
  });
}

function started(id: string, { expiresAt }: ConsentRound, clock: Clock): ConnectionView {
  const view = firstView(id, new Date(clock.now()).toISOString());
  return { ...view, awaiting: { ...view.awaiting, until: expiresAt } };
}
