import { expect, test } from 'vitest';
import fc from 'fast-check';
import { failureOf, judge } from '../../../payments-api/http/judge.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import { thrownBy } from '../../support/payments-api/loopback.js';
import type { Reply } from '../../../payments-api/http/exchange.js';
import type { Success } from '../../../payments-api/http/judge.js';

const NOW_MS = Date.parse('2026-09-10T00:00:00Z');

const reply = (status: number, body: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: new Headers({ 'content-type': 'application/json', ...headers }),
  body: Buffer.from(body),
});
const failure = (status: number, body = '', headers: Record<string, string> = {}): PaymentsApiError =>
  failureOf('createAgreement', reply(status, body, headers), NOW_MS);

test.each([
  [400, 'rejected'],
  [401, 'unauthorised'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [408, 'unavailable'],
  [409, 'conflict'],
  [422, 'rejected'],
  [429, 'rate_limited'],
  [500, 'unavailable'],
  [502, 'unavailable'],
  [503, 'unavailable'],
  [599, 'unavailable'],
  [304, 'malformed'],
] as const)('takes %i for %s', (status, code) => {
  expect(failure(status)).toMatchObject({ code, status });
});

const PUBLISHED = JSON.stringify({
  errors: [
    {
      code: 'ZPCAN00',
      title: 'Short name',
      detail: 'Sentence with specifics of Mary',
      links: { about: '<url>' },
      meta: { resource_ref: 'ABC.1', resource_uid: 'my-uid-7' },
    },
    { code: 'ZPUNP00', title: 'Schema', detail: 'More' },
    { title: 'No code', detail: 'x' },
  ],
});

test('carries every code of the provider, each problem, and the request id', () => {
  const error = failure(422, PUBLISHED, { 'x-request-id': 'req-1' });
  expect(error).toMatchObject({
    code: 'rejected',
    providerCodes: ['ZPCAN00', 'ZPUNP00'],
    requestId: 'req-1',
  });
  expect(error.problems[0]).toEqual({
    code: 'ZPCAN00',
    title: 'Short name',
    detail: 'Sentence with specifics of Mary',
    resourceRef: 'ABC.1',
    resourceUid: 'my-uid-7',
  });
});

test('keeps what account validation adds: whether to retry, and the uid beside the errors', () => {
  const body = { errors: [{ code: 'ZCOPR02', title: 'T', retryable: false }], data: { uid: 'cop-1' } };
  const error = failure(404, JSON.stringify(body));
  expect(error).toMatchObject({ code: 'not_found', providerCodes: ['ZCOPR02'], resourceUid: 'cop-1' });
  expect(error.problems).toEqual([{ code: 'ZCOPR02', title: 'T', retryable: false }]);
  expect(error.means).toBe('account_unusable');
});

test.each([
  { data: { uid: 'Mary Smith' } },
  { data: { uid: 7 } },
  { data: null },
  { data: [] },
  { errors: [{ title: 'T', meta: { resource_uid: 'Mary Smith', resource_ref: 'Mary Smith' } }] },
  { errors: [{ title: 'T', meta: 'Mary', retryable: 'Mary' }] },
])('takes nothing that could be a name for a uid: %j', (body) => {
  const error = failure(422, JSON.stringify(body));
  expect(error.resourceUid).toBeUndefined();
  expect(JSON.stringify(error.problems)).not.toContain('Mary');
});

test('names operation, status, codes and titles in its message', () => {
  expect(failure(422, PUBLISHED).message).toBe(
    'createAgreement: expected 2xx; met 422 (ZPCAN00 Short name; ZPUNP00 Schema; No code)',
  );
});

test('shows no detail in a log of the whole', () => {
  const error = failure(422, PUBLISHED);
  expect(`${JSON.stringify({ ...error })}${error.message}${String(error.stack)}`).not.toContain('Mary');
});

test('takes one sentence for a detail', () => {
  const error = failure(409, '{"errors":"one sentence about Mary"}');
  expect(error.problems).toEqual([{ detail: 'one sentence about Mary' }]);
  expect(error.message).not.toContain('Mary');
});

test.each([
  '',
  '{}',
  'null',
  '[]',
  '{"errors":null}',
  '{"errors":[]}',
  '{"errors":7}',
  '<html>',
  '{"error":"x"}',
])('needs no particular body: %j', (body) => {
  expect(failure(422, body)).toMatchObject({ code: 'rejected', providerCodes: [], problems: [] });
});

test('reads what it can of a list with oddities in it', () => {
  expect(failure(422, '{"errors":[null,7,{"code":9,"title":"T"},{"code":"ZPAGR00"}]}').providerCodes).toEqual(
    ['ZPAGR00'],
  );
});

test('lets no line break and no long text of the provider into its message', () => {
  const error = failure(
    422,
    JSON.stringify({ errors: [{ code: 'Z\n1', title: `a\nb${'x'.repeat(5000)}` }] }),
  );
  expect(error.message).not.toContain('\n');
  expect(error.message.length).toBeLessThan(200);
});

test('ignores a body that does not say it is JSON', () => {
  expect(failure(422, PUBLISHED, { 'content-type': 'text/html' }).providerCodes).toEqual([]);
});

test.each([
  ['Bearer realm="api", error="insufficient_scope", scope="pay_to_payments"', 'pay_to_payments'],
  [
    'Bearer error="insufficient_scope",scope="pay_to_agreements pay_to_payments"',
    'pay_to_agreements pay_to_payments',
  ],
  ['Bearer scope=clients, error="insufficient_scope"', 'clients'],
  ['Bearer error="insufficient_scope"', undefined],
  ['', undefined],
])('reads the missing scope of a 403 from %j', (challenge, scope) => {
  expect(failure(403, '', { 'www-authenticate': challenge })).toMatchObject({
    code: 'forbidden',
    requiredScope: scope,
    lacksScope: challenge === '' ? undefined : true,
  });
});

test('carries Retry-After of a 503 with its code', () => {
  const error = failure(503, '{"errors":[{"code":"ZPADD98","title":"Down"}]}', { 'retry-after': '7' });
  expect(error).toMatchObject({ code: 'unavailable', retryAfterMs: 7000, providerCodes: ['ZPADD98'] });
});

const judged = (success: Partial<Success>, answer: Reply) =>
  judge({ name: 'getAgreement', ...success }, answer, NOW_MS);
const EMPTY: Reply = { status: 204, headers: new Headers(), body: new Uint8Array() };

test.each([200, 201, 202, 204, 299])('takes %i with JSON for a success', (status) => {
  expect(judged({}, reply(status, '{"data":1}'))).toEqual({ data: 1 });
});

test.each(['', '<html>', '{"data":'])('needs a body of JSON: not %j', async (body) => {
  expect(await thrownBy(() => judged({}, reply(200, body)))).toMatchObject({
    code: 'malformed',
    status: 200,
  });
});

test.each([EMPTY, reply(202, ''), reply(202, '<html>'), reply(202, '{"data":1}')])(
  'needs no body where none is expected',
  (answer) => {
    expect(judged({ answer: 'nothing' }, answer)).toBeUndefined();
  },
);

test.each([
  [EMPTY, undefined],
  [reply(202, ''), undefined],
  [reply(202, '<html>'), undefined],
  [reply(202, '{"data":1}'), { data: 1 }],
])('takes a body where there is one and it may be missing', (answer, json) => {
  expect(judged({ answer: 'perhaps' }, answer)).toEqual(json);
});

test.each([201, 202, 204])('takes no %i where one status alone will do', async (status) => {
  expect(judged({ status: 200 }, reply(200, '{}'))).toEqual({});
  const error = await thrownBy(() => judged({ status: 200 }, reply(status, '{"data":{}}')));
  expect(error).toMatchObject({
    code: 'malformed',
    status,
    message: `getAgreement: expected the status 200; met ${status}`,
  });
});

test.each([400, 404, 422, 500, 302])('is a failure under %i, whatever was expected', async (status) => {
  for (const answer of ['json', 'perhaps', 'nothing'] as const)
    expect(await thrownBy(() => judged({ answer }, reply(status, '{"data":1}')))).toMatchObject({ status });
});

test('throws nothing but PaymentsApiError, whatever comes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 200, max: 599 }),
      fc.oneof(fc.json(), fc.string()),
      async (status, body) => {
        const error = await thrownBy(() => {
          judged({}, reply(status, body));
          throw new PaymentsApiError('malformed', 'it was good JSON, which is no failure');
        });
        expect(error).toBeInstanceOf(PaymentsApiError);
      },
    ),
  );
});
