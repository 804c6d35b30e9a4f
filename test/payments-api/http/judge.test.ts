import { expect, test } from 'vitest';
import { failureOf, judge, type Success } from '../../../payments-api/http/judge.js';
import type { PaymentsApiError } from '../../../payments-api/errors.js';
import { thrownBy } from '../../support/payments-api/loopback.js';
import type { Reply } from '../../../payments-api/http/exchange.js';

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
] as const)('status %i is reported as %s', (status, code) => {
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

test('an error has all provider codes, problems and the request id', () => {
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
    resourceUid: 'my-uid-7',
  });
});

test('an account validation error has retryable and the uid', () => {
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
])('personal names are not read as uids: %j', (body) => {
  const error = failure(422, JSON.stringify(body));
  expect(error.resourceUid).toBeUndefined();
  expect(JSON.stringify(error.problems)).not.toContain('Mary');
});

test('the message has operation, status, codes and titles', () => {
  expect(failure(422, PUBLISHED).message).toBe(
    'createAgreement: expected 2xx; received 422 (ZPCAN00 Short name; ZPUNP00 Schema; No code)',
  );
});

test('the log output contains no problem detail', () => {
  const error = failure(422, PUBLISHED);
  expect(`${JSON.stringify({ ...error })}${error.message}${String(error.stack)}`).not.toContain('Mary');
});

test('errors that are a plain sentence become a detail', () => {
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
])('the error body %j is accepted', (body) => {
  expect(failure(422, body)).toMatchObject({ code: 'rejected', providerCodes: [], problems: [] });
});

test('valid entries of a malformed error list are read', () => {
  expect(failure(422, '{"errors":[null,7,{"code":9,"title":"T"},{"code":"ZPAGR00"}]}').providerCodes).toEqual(
    ['ZPAGR00'],
  );
});

test('provider text in a message is shortened to one line', () => {
  const error = failure(
    422,
    JSON.stringify({ errors: [{ code: 'Z\n1', title: `a\nb${'x'.repeat(5000)}` }] }),
  );
  expect(error.message).not.toContain('\n');
  expect(error.message.length).toBeLessThan(200);
});

test('a body that is not declared as JSON is ignored', () => {
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
])('the missing scope of a 403 is read from %j', (challenge, scope) => {
  expect(failure(403, '', { 'www-authenticate': challenge })).toMatchObject({
    code: 'forbidden',
    requiredScope: scope,
    lacksScope: challenge === '' ? undefined : true,
  });
});

const judged = (success: Partial<Success>, answer: Reply) =>
  judge({ name: 'getAgreement', ...success }, answer, NOW_MS);
const EMPTY: Reply = { status: 204, headers: new Headers(), body: new Uint8Array() };

test.each([200, 201, 202, 204, 299])('%i with JSON is a success', (status) => {
  expect(judged({}, reply(status, '{"data":1}'))).toEqual({ data: 1 });
});

test.each(['', '<html>', '{"data":'])('a success with body %j is malformed', async (body) => {
  expect(await thrownBy(() => judged({}, reply(200, body)))).toMatchObject({
    code: 'malformed',
    status: 200,
  });
});

test.each([EMPTY, reply(202, ''), reply(202, '<html>'), reply(202, '{"data":1}')])(
  'a success without an expected body is accepted (case %#)',
  (answer) => {
    expect(judged({ answer: 'nothing' }, answer)).toBeUndefined();
  },
);

test.each([
  [EMPTY, undefined],
  [reply(202, ''), undefined],
  [reply(202, '<html>'), undefined],
  [reply(202, '{"data":1}'), { data: 1 }],
])('an optional body is read if present (case %#)', (answer, json) => {
  expect(judged({ answer: 'perhaps' }, answer)).toEqual(json);
});

test.each([201, 202, 204])('a %i is malformed if only status 200 is expected', async (status) => {
  expect(judged({ status: 200 }, reply(200, '{}'))).toEqual({});
  const error = await thrownBy(() => judged({ status: 200 }, reply(status, '{"data":{}}')));
  expect(error).toMatchObject({
    code: 'malformed',
    status,
    message: `getAgreement: expected the status 200; received ${status}`,
  });
});

test.each([400, 404, 422, 500, 302])('a %i is a failure for every expected body', async (status) => {
  for (const answer of ['json', 'perhaps', 'nothing'] as const)
    expect(await thrownBy(() => judged({ answer }, reply(status, '{"data":1}')))).toMatchObject({ status });
});
