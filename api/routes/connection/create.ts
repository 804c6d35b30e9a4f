import { CreateConnection } from '../../../domain/connection/request.schema.js';
import type { ConnectionView, ConsentRound } from '../../../workflows/connection/contract.js';
import { CONNECTION, connectionAnswer } from './answer.schema.js';
import { answerOf } from '../resource.js';
import { beginUrl } from './oauth-state.js';
import { requireReturnUrl } from './return-url.js';
import { accountHash } from '../../../payments-api/account-hash.js';
import { contract, endpoint, json, optionalBodyOf } from '../../http/contract.js';
import { uidFrom } from '../../http/idempotency.js';
import { ApiError } from '../../http/problems/errors.js';
import { IdempotencyHeaders } from '../../http/parameters.schema.js';
import type { Clock } from '../../http/wait.js';

const stated = contract({
  method: 'post',
  path: '/v1/connections',
  operationId: 'createConnection',
  tags: ['connections'],
  summary: 'Create a connection and get the link for the merchant’s consent (idempotent)',
  access: 'write',
  connection: 'body',
  request: { headers: IdempotencyHeaders, body: optionalBodyOf(CreateConnection) },
  answers: {
    200: json(
      'The connection already exists. Contains a new `authorize_url` if it still needs consent.',
      CONNECTION.one,
    ),
    201: json('Created. Send the merchant to `authorize_url`.', CONNECTION.one),
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
  requireSameAccount(found, expectedAccount);
  if (found?.status === 'healthy') return c.json(await answerOf(CONNECTION, dependencies, c, found), 200);
  const round = await temporal.connections.begin(id, {
    expectedAccount,
    isOperator: c.get('apiKey')?.scopes.includes('operate'),
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

function requireSameAccount(found: ConnectionView | undefined, expected: string | undefined): void {
  const bound = found?.account?.id;
  if (bound === undefined || expected === undefined || bound === expected) return;
  throw new ApiError('other_account', 'This connection already belongs to another account.', {
    errors: [{ pointer: '/expected_account', detail: 'expected the account that consented before' }],
  });
}

function started(id: string, { expiresAt }: ConsentRound, clock: Clock): ConnectionView {
  const since = new Date(clock.now()).toISOString();
  const awaiting = { what: 'consent' as const, since, until: expiresAt };
  return { id, status: 'awaiting_consent', generation: 0, awaiting, attention: [], createdAt: since };
}
