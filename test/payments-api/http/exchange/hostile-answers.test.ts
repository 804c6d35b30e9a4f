import { createGzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAgreementAnswer } from '../../../support/payments-api/examples.js';
import {
  json,
  raw,
  startLoopback,
  type Answer,
  type Loopback,
} from '../../../support/payments-api/loopback.js';
import { CALLS, failureOf, hostileApi, textOf } from '../../../support/payments-api/hostile-provider.js';

const MIB = 2 ** 20;
const JSON_TYPE = { 'content-type': 'application/json' };
const WAYS = Object.entries(CALLS);

let provider: Loopback;
let elsewhere: Loopback;
beforeAll(async () => {
  provider = await startLoopback();
  elsewhere = await startLoopback();
});
afterAll(() => Promise.all([provider.close(), elsewhere.close()]));

const bothFailures = async (answer: Answer) => {
  provider.answers(answer);
  const failures = [];
  for (const [, ask] of WAYS) failures.push(await failureOf(ask(hostileApi(provider.url))));
  expect(provider.requests).toHaveLength(2);
  return failures;
};

test.each([300, 301, 302, 303, 304, 305, 307, 308, 399])(
  'a %i redirect to another host is not followed',
  async (status) => {
    elsewhere.answers(json(200, { data: anAgreementAnswer() }));
    const location = `${elsewhere.url}/payto/agreements`;
    for (const failure of await bothFailures(raw(status, '', { location }))) {
      expect(failure).toMatchObject({ code: 'malformed', status });
    }
    expect(elsewhere.requests).toHaveLength(0);
  },
);

test.each([
  ['HTML declared as HTML', raw(200, '<p>Welcome', { 'content-type': 'text/html' })],
  ['HTML declared as JSON', raw(200, '<p>Welcome', JSON_TYPE)],
  ['JSON declared as HTML', raw(200, '{"data":[]}', { 'content-type': 'text/html' })],
  ['JSON with two content types', raw(200, '{"data":[]}', { 'content-type': 'text/html, application/json' })],
  [
    'JSON in UTF-16',
    (response) => void response.writeHead(200, JSON_TYPE).end(Buffer.from('{"data":[]}', 'utf16le')),
  ],
  [
    'JSON with invalid UTF-8',
    (response) => void response.writeHead(200, JSON_TYPE).end(Buffer.from([0x22, 0xff, 0x22])),
  ],
  ['two JSON values', raw(200, '{"data":[]}{"data":[]}', JSON_TYPE)],
  ['100,000 brackets', raw(200, '['.repeat(100_000), JSON_TYPE)],
  ['100,000 bracket pairs', raw(200, '['.repeat(100_000) + ']'.repeat(100_000), JSON_TYPE)],
  ['100,000 nested levels', raw(200, '{"data":'.repeat(100_000) + '1' + '}'.repeat(100_000), JSON_TYPE)],
  ['data inside __proto__', raw(200, '{"__proto__":{"data":[]}}', JSON_TYPE)],
  ['a number out of range', raw(200, '9'.repeat(1000), JSON_TYPE)],
] satisfies [string, Answer][])('%s is malformed', async (_what, answer) => {
  for (const failure of await bothFailures(answer)) expect(failure).toMatchObject({ code: 'malformed' });
});

describe('redaction of secrets in errors', () => {
  const echo: Answer = (response, { headers }) => {
    const token = headers.authorization ?? '';
    response.setHeader('x-request-id', token);
    response.setHeader('www-authenticate', `Bearer scope="${token}"`);
    const problem = { code: token.slice(7), title: `Refused: ${token}`, detail: token };
    response.writeHead(403, JSON_TYPE).end(JSON.stringify({ errors: [problem, problem] }));
  };

  test.each(WAYS)('removes the token that the provider repeats to %s', async (_way, ask) => {
    provider.answers(echo);
    const failure = await failureOf(ask(hostileApi(provider.url)));
    expect(failure).toMatchObject({ code: 'forbidden', status: 403 });
    expect(failure.message).toContain('Refused: Bearer [secret]');
    expect(textOf(failure.problems)).not.toContain('needle');
  });

  test('preserves an ordinary refusal', async () => {
    provider.answers(json(422, { errors: [{ code: 'ZPAGR00', title: 'Duplicate é 🙂', detail: 'ünï' }] }));
    const failure = await failureOf(CALLS['a write'](hostileApi(provider.url)));
    expect(failure.problems).toEqual([{ code: 'ZPAGR00', title: 'Duplicate é 🙂', detail: 'ünï' }]);
  });
});

describe('answer of more than 1 MiB', () => {
  test('is refused under an error status', async () => {
    provider.answers((response) => {
      const packed = createGzip();
      packed.pipe(response.writeHead(500, { ...JSON_TYPE, 'content-encoding': 'gzip' }));
      packed.end(Buffer.alloc(2 * MIB, ' '));
    });
    expect(await failureOf(CALLS['a write'](hostileApi(provider.url)))).toMatchObject({ status: 500 });
  });

  test('starts at one byte above the limit', async () => {
    const whole = JSON.stringify({ data: anAgreementAnswer() });
    provider.answers(raw(200, whole.padEnd(MIB, ' '), JSON_TYPE));
    expect(await CALLS['a write'](hostileApi(provider.url))).toMatchObject({ state: 'active' });
    provider.answers(raw(200, whole.padEnd(MIB + 1, ' '), JSON_TYPE));
    expect(await failureOf(CALLS['a write'](hostileApi(provider.url)))).toMatchObject({ code: 'malformed' });
  });
});

test('a client survives bad answers and keeps its connection', async () => {
  const api = hostileApi(provider.url);
  const before = provider.connections();
  for (const answer of [
    raw(301, 'x', { location: '/' }),
    raw(500, 'x'),
    raw(404, ''),
    raw(200, '<p>', JSON_TYPE),
  ]) {
    provider.answers(answer);
    await failureOf(CALLS['a write'](api));
  }
  provider.answers(json(201, { data: anAgreementAnswer() }));
  expect(await CALLS['a write'](api)).toMatchObject({ state: 'active' });
  expect(provider.connections() - before).toBe(1);
});
