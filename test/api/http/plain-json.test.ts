import { expect, test } from 'vitest';
import { KEYS, anApi, post } from '../../support/api/app.js';
import { sentOf } from '../../support/api/sent.js';
import { aPayment, problemIn } from '../../support/api/builders.js';

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
