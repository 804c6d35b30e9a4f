import { expect, test } from 'vitest';
import { KEYS, anApi, post, sentOf } from '../../support/api/app.js';
import { aPayment, problemIn } from '../../support/api/builders.js';
import { cpuOf } from '../../support/cpu.js';

const refusing = anApi();

test.each([
  ['/metadata/__proto__', '"metadata":{"__proto__":{"a":1}}'],
  ['/metadata/__proto__', String.raw`"metadata":{"\u005f_proto__":"a"}`],
  ['/__proto__', '"__proto__":1'],
])('a key __proto__ at %s is refused with its pointer (%s)', async (pointer, field) => {
  const body = `${JSON.stringify(aPayment()).slice(0, -1)},${field}}`;
  const response = await post(refusing, '/v1/agreements/agr-1/payments', body);
  expect(await problemIn(response)).toMatchObject({
    status: 400,
    code: 'invalid_request',
    errors: [{ pointer, detail: 'expected another name; __proto__ is reserved' }],
  });
  expect(sentOf(refusing.door)).toBe(0);
});

const TOO_LARGE =
  'expected a number of at most 9007199254740991, because larger ones are not kept exactly; send it as text';

test.each(['9007199254740993', '-9007199254740992', '9.007199254740993e15', '1e400'])(
  'the number %s, which JavaScript changes silently, is refused with its pointer',
  async (number) => {
    const body = `${JSON.stringify(aPayment()).slice(0, -1)},"metadata":{"order":${number}}}`;
    expect(await problemIn(await post(refusing, '/v1/agreements/agr-1/payments', body))).toMatchObject({
      ...{ status: 400, code: 'invalid_request' },
      errors: [{ pointer: '/metadata/order', detail: TOO_LARGE }],
    });
    expect(sentOf(refusing.door)).toBe(0);
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

test('a body of two million rows is refused before it is parsed', async () => {
  const text = `{"kind":"payments","rows":[${many(2_000_000, '{}')}]}`;
  let status = 0;
  const cpu = await cpuOf(async () => ({ status } = await post(refusing, '/v1/batches', text)));
  expect(status).toBe(413);
  expect(cpu).toBeLessThan(250); // Was seconds. Most of what is left is the buffering of 6 MiB.
});

test.each([
  ['/metadata', '/v1/agreements', `{"metadata":{${numbered(513)}}}`, 512],
  ['/rows', '/v1/batches', `{"kind":"payments","rows":[${many(10_001, '{}')}]}`, 10_000],
])('too many fields or items at %s are refused with its pointer only', async (pointer, path, text, most) => {
  const { errors } = await problemIn(await post(refusing, path, text));
  expect(errors).toEqual([{ pointer, detail: `expected at most ${most} fields or items` }]);
});
