import { expect, test } from 'vitest';
import { KEYS, anApi, post } from '../../support/api/app.js';
import { sentOf } from '../../support/api/sent.js';
import { aPayment, problemIn } from '../../support/api/builders.js';
import { cpuOf } from '../../support/cpu.js';

test.each([
  ['/metadata/__proto__', '"metadata":{"__proto__":{"a":1}}'],
  ['/metadata/__proto__', String.raw`"metadata":{"\u005f_proto__":"a"}`],
  ['/__proto__', '"__proto__":1'],
])('a key __proto__ at %s is refused with its pointer (%s)', async (pointer, field) => {
  const api = anApi();
  const body = `${JSON.stringify(aPayment()).slice(0, -1)},${field}}`;
  const response = await post(api, '/v1/agreements/agr-1/payments', body);
  expect(await problemIn(response)).toMatchObject({
    status: 400,
    code: 'invalid_request',
    errors: [{ pointer, detail: 'expected another name; __proto__ is reserved' }],
  });
  expect(sentOf(api.door)).toBe(0);
});

const TOO_LARGE =
  'expected a number of at most 9007199254740991, because larger ones are not kept exactly; send it as text';

test.each(['9007199254740993', '-9007199254740992', '9.007199254740993e15', '1e400'])(
  'the number %s, which JavaScript changes silently, is refused with its pointer',
  async (number) => {
    const api = anApi();
    const body = `${JSON.stringify(aPayment()).slice(0, -1)},"metadata":{"order":${number}}}`;
    expect(await problemIn(await post(api, '/v1/agreements/agr-1/payments', body))).toMatchObject({
      ...{ status: 400, code: 'invalid_request' },
      errors: [{ pointer: '/metadata/order', detail: TOO_LARGE }],
    });
    expect(sentOf(api.door)).toBe(0);
  },
);

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

test.each([70, 200_000])('a payload for the codec that is nested %d deep is refused', async (depth) => {
  const response = await anApi().admin.request('/codec/decode', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEYS.decode}`,
      'content-type': 'application/json',
      'x-namespace': 'default',
    },
    body: `{"payloads":[{"metadata":{},"deep":${nested(depth)}}]}`,
  });
  expect(await problemIn(response)).toMatchObject({ status: 400, code: 'malformed_json' });
});

const many = (count: number, item: string): string => Array<string>(count).fill(item).join(',');
const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"a${index}":{}`).join(',');

test.each([
  ['two million rows', '/v1/batches', `{"kind":"payments","rows":[${many(2_000_000, '{}')}]}`],
  ['50,000 rows', '/v1/batches', `{"kind":"payments","rows":[${many(49_000, '{}')}]}`],
  ['9,000 rows with one uid', '/v1/batches', `{"kind":"payments","rows":[${many(9000, '{"uid":"a"}')}]}`],
  ['a list instead of a body', '/v1/agreements', `[${many(16_000, '1')}]`],
  ['thousands of unknown fields', '/v1/agreements', `{${numbered(1900)}}`],
  ['metadata with thousands of entries', '/v1/agreements', `{"metadata":{${numbered(1900)}}}`],
])('a body with %s is refused within milliseconds', async (_, path, text) => {
  const api = anApi();
  await post(api, path, text);
  let status = 0;
  const cpu = await cpuOf(async () => ({ status } = await post(api, path, text)));
  expect([400, 413]).toContain(status);
  expect(cpu).toBeLessThan(50); // Five times the bound. Without it, the first takes seconds.
  expect(sentOf(api.door)).toBe(0);
});
