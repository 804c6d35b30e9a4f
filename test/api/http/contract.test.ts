import { describe, expect, test } from 'vitest';
import { ADMIN_ENDPOINTS, PUBLIC_ENDPOINTS } from '../../../api/app.js';
import { SCOPES } from '../../../api/http/api-keys.js';
import { KEYS, anApi, get, sentOf } from '../../support/api/app.js';
import { problemIn } from '../../support/api/builders.js';

const EXAMPLES: Readonly<Record<string, string>> = { code: 'overdue', day: '2026-10-01' };
const ALL = [
  ...PUBLIC_ENDPOINTS.map((endpoint) => ({ ...endpoint, port: 'app' as const })),
  ...ADMIN_ENDPOINTS.map((endpoint) => ({ ...endpoint, port: 'admin' as const })),
];
const ROUTES = ALL.flatMap(({ access, scope, routes, port }) =>
  routes.map(({ method, path }) => ({
    access,
    port,
    scope,
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => EXAMPLES[name] ?? 'acme'),
    name: `${method.toUpperCase()} ${path}`,
  })),
);
/** For requests that are refused: nothing of them reaches the gateway. */
const REFUSING = anApi();
const GUARDED = ROUTES.flatMap(({ scope, ...route }) => (scope === undefined ? [] : [{ ...route, scope }]));

describe('routes', () => {
  test('are all declared in a contract, and need a scope under /v1', () => {
    expect(ROUTES.filter(({ path, scope }) => path.startsWith('/v1/') && scope === undefined)).toEqual([]);
    for (const port of ['app', 'admin'] as const) {
      const served = anApi()[port].routes.flatMap(({ method, path }) =>
        // Webhooks also have a slash at the end.
        method === 'ALL' || path.endsWith('/')
          ? []
          : [`${method} ${path.replaceAll(/:(\w+)(\{.*?\}(?=\/|$))?/g, '{$1}')}`],
      );
      const declared = ROUTES.filter((route) => route.port === port).map(({ name }) => name);
      expect([...new Set(served)].sort()).toEqual(declared.sort());
    }
  });

  test('include these routes for operators only', () => {
    expect(
      ROUTES.flatMap(({ access, name }) =>
        access === 'operate' || access === 'stop' || access === 'decode' ? [name] : [],
      ),
    ).toEqual([
      'POST /v1/connections/{id}/confirmation',
      'POST /v1/connections/{id}/revocation',
      'POST /v1/agreements/{uid}/attention/{code}/resolution',
      'POST /v1/payments/{uid}/attention/{code}/resolution',
      'POST /v1/refunds/{uid}/attention/{code}/resolution',
      'POST /v1/clients/{uid}/attention/{code}/resolution',
      'POST /v1/counterparties/{uid}/acceptance',
      'POST /v1/counterparties/{uid}/attention/{code}/resolution',
      'POST /v1/resolutions',
      'POST /v1/batches/{uid}/pause',
      'POST /v1/batches/{uid}/resumption',
      'POST /v1/batches/{uid}/abandonment',
      'POST /v1/float-accounts/{uid}/acknowledgement',
      'POST /v1/float-accounts/{uid}/reading',
      'POST /v1/unmatched-credits/{uid}/resolution',
      'POST /v1/notifications/{notification}/acknowledgement',
      'POST /v1/notifications/acknowledgements',
      'POST /v1/stop',
      'POST /v1/stop/resumption',
      'POST /v1/webhook-endpoints/{id}/attention/{code}/resolution',
      'GET /v1/audit',
      'POST /codec/decode',
    ]);
  });

  test('declare how to find the connection of their resource', () => {
    const sourceOf = (template: string): string | undefined => {
      if (template.startsWith('/v1/webhook-endpoints')) return 'filtered';
      if (/\/onboardings\/\{(id|uid)\}/.test(template)) return 'onboarding';
      if (/\{(id|connection)\}/.test(template)) return 'path';
      if (template.includes('/counterparties/{uid}')) return 'counterparty';
      if (template.includes('/float-accounts/{uid}')) return 'float-account';
      if (template.includes('/unmatched-credits/{uid}')) return 'unmatched-credit';
      return /\/(agreement|payment|refund|client)s\/\{uid\}/.exec(template)?.[1];
    };
    const named = PUBLIC_ENDPOINTS.flatMap(({ routes }) => routes);
    for (const { path, connection } of named) expect(sourceOf(path) ?? connection, path).toBe(connection);
    const unnamed = named.filter(({ path }) => path.startsWith('/v1/') && sourceOf(path) === undefined);
    expect(unnamed.map(({ operationId, connection }) => [operationId, connection])).toEqual([
      ['createConnection', 'body'],
      ['listConnections', 'query'],
      ['createAgreement', 'body'],
      ['listAgreements', 'query'],
      ['listAllPayments', 'query'],
      ['summarisePayments', 'query'],
      ['listAllRefunds', 'query'],
      ['createClient', 'body'],
      ['listClients', 'query'],
      ['startOnboarding', 'body'],
      ['listOnboardings', 'query'],
      ['createCounterparty', 'body'],
      ['listCounterparties', 'query'],
      ['createBatch', 'body'],
      ['identifyAgreements', 'body'],
      ['retryPayments', 'body'],
      ['resolveFlags', 'body'],
      ['listBatches', 'query'],
      ...['getBatch', 'listBatchRows', 'pauseBatch', 'resumeBatch', 'abandonBatch'].map((id) => [
        id,
        'batch',
      ]),
      ['listFloatAccounts', 'query'],
      ['listUnmatchedCredits', 'query'],
      ['reconcileDay', 'query'],
      ['readSettlementReport', 'query'],
      ['compareExpected', 'query'],
      ['readJournal', 'query'],
      ...['listNotifications', 'getNotification'].map((id) => [id, 'none']),
      ...['acknowledgeNotification', 'acknowledgeNotifications'].map((id) => [id, 'none']),
      ['getBatchTimeline', 'batch'],
      ['getStop', 'none'],
      ['getStopTimeline', 'none'],
      ['stopPayments', 'none'],
      ['resumePayments', 'none'],
      ...['listEvents', 'getEvent'].map((id) => [id, 'filtered']),
      ['listAuditEvents', 'none'],
    ]);
  });

  test.each(GUARDED.filter(({ port }) => port === 'app'))(
    '$name refuses a parameter that the document does not have',
    async ({ method, path }) => {
      const api = REFUSING;
      const headers = {
        ...{
          authorization: `Bearer ${KEYS.all}`,
          'idempotency-key': 'k',
          'content-type': 'application/json',
        },
      };
      const body = method === 'GET' ? null : '{}';
      const problem = await problemIn(await api.app.request(`${path}?unknown=1`, { method, headers, body }));
      expect(problem.errors).toContainEqual(expect.objectContaining({ parameter: 'unknown' }));
      expect(sentOf(api.door)).toBe(0);
    },
  );

  test('need the scope read for GET, and another scope for every other method', () => {
    const misplaced = GUARDED.filter(({ method, scope }) => (method === 'GET') !== (scope === 'read'));
    const [audit, ...others] = misplaced;
    expect(audit?.name).toBe('GET /v1/audit');
    expect(others).toEqual([]);
  });
});

describe('API keys', () => {
  const accepting = anApi();

  test.each(GUARDED)('$name answers 401 without a key', async ({ method, path, port }) => {
    const api = REFUSING;
    const response = await api[port].request(path, { method });
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await problemIn(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(sentOf(api.door)).toBe(0);
  });

  test.each(GUARDED)('$name answers 403 without its scope', async ({ method, path, scope, port }) => {
    for (const other of SCOPES.filter((one) => one !== scope)) {
      const api = REFUSING;
      const headers = { authorization: `Bearer ${KEYS[other]}` };
      const response = await api[port].request(path, { method, headers });
      const problem = await problemIn(response);
      expect(problem).toMatchObject({ status: 403, code: 'insufficient_scope' });
      expect(problem.detail).toContain(scope);
      expect(response.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
      expect(sentOf(api.door)).toBe(0);
    }
  });

  test.each(GUARDED)(
    '$name accepts a key with only the required scope',
    async ({ method, path, scope, port }) => {
      const headers = { authorization: `Bearer ${KEYS[scope]}` };
      const { status } = await accepting[port].request(path, { method, headers });
      expect([401, 403]).not.toContain(status);
    },
  );

  test.each([
    ['with read only sees masked', KEYS.read, '************001'],
    ['with personal sees full', KEYS.readPersonal, '200001-12340001'],
    ['with operate sees full', KEYS.all, '200001-12340001'],
  ])('a key %s account numbers', async (_, key, value) => {
    const response = await get(anApi(), '/v1/agreements/agr-1', key);
    expect(await response.json()).toMatchObject({
      data: { debtor: { account_identifier: { type: 'bban', value } } },
    });
  });

  test.each([
    'Bearer wrong',
    'Bearer',
    'Bearer  ',
    'Basic a2V5LWFsbA==',
    KEYS.all,
    `Bearer ${KEYS.all} more`,
  ])('the header "Authorization: %s" is refused with 401', async (authorization) => {
    const response = await anApi().app.request('/v1/agreements', { headers: { authorization } });
    expect(await problemIn(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  test.each(ROUTES.filter(({ access }) => access === 'public' || access === 'probe'))(
    '$name needs no key',
    async ({ method, path, port }) => {
      const { status } = await accepting[port].request(path, { method });
      expect(status).not.toBe(401);
    },
  );
});

describe('request ids', () => {
  test.each(['order-77', 'a b', '<script>', 'x'.repeat(256)])(
    'are ours, not the one of the caller: %s',
    async (id) => {
      const response = await anApi().app.request('/healthz', { headers: { 'x-request-id': id } });
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});
