// Rows of operations: what each asks of the provider, to the letter, and what it makes of an answer. One test per version.
import { expect, test } from 'vitest';
import { CALL } from './examples.js';
import { VERSIONS, fakeProvider } from './fake-provider.js';
import type { FakeAnswer } from './fake-provider.js';
import type { PaymentsApi } from '../../../payments-api/client.js';

/** Operation, how it is called, and the request line and body that the provider gets; its answer, and what we make of it. */
export type Row = [
  name: string,
  run: (api: PaymentsApi) => unknown,
  asked: string,
  body: unknown,
  answer: FakeAnswer,
  result: unknown,
];

export const created = (body: object): FakeAnswer => ({ status: 201, body: { data: body } });
export const found = (body: unknown): FakeAnswer => ({ status: 200, body: { data: body } });
/** Accepted, without a body. */
export const TAKEN: FakeAnswer = { status: 202 };

export function testOnEveryVersion(rows: readonly Row[]): void {
  for (const version of VERSIONS) {
    test.each(rows)(`${version}: %s`, async (_name, run, line, body, answer, result) => {
      const { api, asked } = fakeProvider(answer, version);
      expect(await run(api)).toEqual(result);
      expect(asked).toHaveLength(1);
      const { method, path, headers } = asked[0] ?? {};
      expect(`${method} ${path}`).toBe(line);
      expect(asked[0]?.body).toEqual(body);
      expect(headers?.get('authorization')).toBe(`Bearer ${CALL.accessToken}`);
      expect(headers?.get('service-api-version')).toBe(version);
      expect(headers?.get('content-type')).toBe(body === undefined ? null : 'application/json');
    });
  }
}
