import { expect, test } from 'vitest';
import { z } from 'zod';
import { KEYS, anApi, post } from '../../support/api/app.js';

const Property = z.looseObject({ type: z.unknown(), enum: z.unknown() }).partial();
const Schema = z.looseObject({ properties: z.record(z.string(), Property) }).partial();
const Operation = z.looseObject({
  operationId: z.string(),
  'x-scope': z.string().optional(),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) }).optional(),
});
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
});
const api = anApi();
const DOCUMENT = Document.parse(await (await api.app.request('/openapi.json')).json());

const DECISIVE = ['accept_other_account', 'stopped_by', 'expected_account'];

function isDecision({ requestBody, 'x-scope': scope = '' }: z.output<typeof Operation>): boolean {
  const { $ref: name } = z
    .looseObject({ $ref: z.string().optional() })
    .parse(requestBody?.content['application/json']?.schema ?? {});
  const properties = DOCUMENT.components.schemas[name?.split('/').at(-1) ?? '']?.properties ?? {};
  const { reason } = properties;
  const isInOwnWords = reason?.type === 'string' && reason.enum === undefined;
  return ['operate', 'stop'].includes(scope) || isInOwnWords || DECISIVE.some((field) => field in properties);
}

const DECISIONS = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    method === 'get' || !isDecision(operation)
      ? []
      : [{ method, path: path.replaceAll(/\{\w+\}/g, 'acme'), action: operation.operationId }],
  ),
);

test('the routes of decisions include those of keys with the scope write', () => {
  expect(DECISIONS.map(({ action }) => action)).toEqual(
    expect.arrayContaining([
      'createConnection',
      'reauthoriseConnection',
      'withdrawCounterparty',
      'stopPayments',
    ]),
  );
  expect(DECISIONS.map(({ action }) => action)).not.toContain('suspendAgreement');
});

test.each(DECISIONS)('$action writes an event, also if it is refused', async ({ method, path, action }) => {
  const before = api.audited.length;
  const headers = { authorization: `Bearer ${KEYS.all}`, 'content-type': 'application/json' };
  await api.app.request(path, { method: method.toUpperCase(), headers, body: '{}' });
  expect(api.audited.slice(before)).toMatchObject([{ action, target: path }]);
});

test.each([
  [
    '/v1/connections/acme/reauthorisation',
    { accept_other_account: true, reason: 'r' },
    { connection: 'acme', accept_other_account: true },
  ],
  ['/v1/connections/acme/reauthorisation', {}, { connection: 'acme', accept_other_account: false }],
  ['/v1/notifications/unknown%2F1/acknowledgement', { reason: 'r' }, undefined],
  ['/v1/stop', { connection: 'acme', reason: 'r' }, { connection: 'acme' }],
  ['/v1/stop', { reason: 'r' }, { all_connections: true }],
  ['/v1/stop/resumption', { connection: 'acme', reason: 'r' }, { connection: 'acme' }],
])('%s with %j names its target and its connection', async (path, body, details) => {
  const own = anApi();
  await post(own, path, body, { authorization: `Bearer ${KEYS.all}` });
  expect(own.audited).toMatchObject([{ target: path, outcome: 'done' }]);
  expect(own.audited[0]?.details).toEqual(details);
});

test('a refused attempt to accept another account is in the log, with the code of the refusal', async () => {
  const own = anApi();
  const body = { accept_other_account: true, reason: 'r' };
  await post(own, '/v1/connections/acme/reauthorisation', body, { authorization: `Bearer ${KEYS.write}` });
  expect(own.audited).toMatchObject([
    { outcome: 'insufficient_scope', details: { connection: 'acme', accept_other_account: true } },
  ]);
});
