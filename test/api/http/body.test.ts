import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anApi, post, sentOf } from '../../support/api/app.js';
import { aPayment, anAgreement } from '../../support/api/builders.js';

const ROUTES = [
  '/v1/agreements',
  '/v1/agreements/agr-1/payments',
  '/v1/connections',
  '/v1/connections/acme/reauthorisation',
];

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '__proto__',
    '../..',
    '2026-02-29',
    '0000-00-00',
    'x'.repeat(400),
  ),
  fc.constantFrom(0, -0, -1, 0.1, 1e9, 1_000_000_001, Number.MAX_SAFE_INTEGER, 1e308),
);

function spoiled(good: Record<string, unknown>): fc.Arbitrary<unknown> {
  const fields = Object.entries(good).map(([key, current]) => {
    const inside = isRecord(current) ? [spoiled(current)] : [];
    return fc.tuple(
      fc.constant(key),
      fc.oneof({ weight: 4, arbitrary: fc.constant(current) }, value, ...inside),
    );
  });
  return fc
    .tuple(fc.tuple(...fields), fc.dictionary(fc.string(), value, { maxKeys: 2 }), fc.boolean())
    .map(([kept, extra, isExtended]) => ({ ...Object.fromEntries(kept), ...(isExtended ? extra : {}) }));
}
const isRecord = (met: unknown): met is Record<string, unknown> =>
  typeof met === 'object' && met !== null && !Array.isArray(met);

const body = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json({ maxDepth: 4 }),
  spoiled(anAgreement()).map((met) => JSON.stringify(met)),
  spoiled(aPayment()).map((met) => JSON.stringify(met)),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => '['.repeat(depth)),
  fc.integer({ min: 1, max: 5000 }).map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
);

describe('generated request bodies', () => {
  test('are accepted or refused, and never cause a 500', async () => {
    const api = anApi();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ROUTES), body, async (path, text) => {
        const before = sentOf(api.door);
        const { status } = await post(api, path, text);
        expect([200, 202, 400, 413]).toContain(status);
        if (status >= 400) expect(sentOf(api.door)).toBe(before);
      }),
      { numRuns: 300 },
    );
  });

  test('are refused with 401 as unsigned webhooks', async () => {
    const api = anApi();
    const headers = fc.record({
      'service-signature': fc.string().map((text) => text.replace(/[^ -~]/g, '')),
    });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), headers, async (text, signature) => {
        const all = { 'content-type': 'application/json', ...signature };
        const { status } = await api.app.request('/webhooks', { method: 'POST', headers: all, body: text });
        expect(status).toBe(401);
      }),
      { numRuns: 200 },
    );
    expect(api.door.deliver).not.toHaveBeenCalled();
  });
});
