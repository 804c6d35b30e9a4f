import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import fc from 'fast-check';
import { CALL } from '../../support/payments-api/examples.js';
import { WALK } from '../../../tools/conform/walk.js';
import { startWorld, type World } from '../../../tools/conform/world.js';
import { fakeProvider, type FakeAnswer } from '../../support/payments-api/fake-provider.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import type { PaymentsApi } from '../../../payments-api/client.js';
import type { Send } from '../../../tools/conform/walk-payto.js';

const METHODS = Object.keys(WALK).filter((name): name is keyof PaymentsApi => name in WALK);

const sends = new Map<keyof PaymentsApi, Send>();
let world: World;
beforeAll(async () => {
  world = await startWorld({ webhookUrl: 'http://127.0.0.1:1/webhooks' });
  for (const name of METHODS) {
    const [first] = await WALK[name](world);
    if (first !== undefined) sends.set(name, first);
  }
});
afterAll(() => world.close());

async function outcomeOf(name: keyof PaymentsApi, answer: FakeAnswer): Promise<unknown> {
  const { api, requests } = fakeProvider(answer);
  const outcome = await sends
    .get(name)?.(api, CALL)
    .catch((error: unknown) => error);
  expect(requests.length).toBeGreaterThan(0);
  return outcome;
}

const KEYS = [
  ...[
    'id',
    'uid',
    'state',
    'type',
    'body',
    'caused_by',
    'reason',
    'failure',
    'metadata',
    'resource_metadata',
  ],
  ...['created_at', 'published_at', 'debtor', 'creditor', 'initiator', 'payment_terms', 'state_reason'],
  ...['changes', 'refund_payment', 'services', 'payment_accounts', 'outcome', 'insights', 'payid_configs'],
  ...['events', 'signature_secret', 'payload', 'payload_data_summary', 'response_status_code', 'identity'],
  ...['data', 'links', 'next', 'errors', 'meta', 'code', 'title', 'detail', 'retryable', 'amount'],
  ...['__proto__', 'constructor', 'prototype', 'toJSON', 'toString', 'then', 'valueOf', 'hasOwnProperty'],
];

const deep = fc
  .tuple(fc.constantFrom(['[', ']'], ['{"a":', '}'], ['{"data":', '}']), fc.constantFrom(1, 17, 5000))
  .map(([[open = '', close = ''], depth]) => `${open.repeat(depth)}1${close.repeat(depth)}`);
const written: fc.Arbitrary<string> = fc.letrec<{ any: string; object: string; list: string }>((tie) => ({
  object: fc
    .array(fc.tuple(fc.constantFrom(...KEYS), tie('any')), { maxLength: 6 })
    .map((pairs) => `{${pairs.map(([key, value]) => `"${key}":${value}`).join(',')}}`),
  list: fc.array(tie('any'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
  any: fc.oneof({ maxDepth: 4 }, fc.json({ maxDepth: 2 }), tie('object'), tie('object'), tie('list'), deep),
})).any;

const bodies = fc.oneof(
  written,
  written.map((data) => `{"data":${data},"links":{}}`),
  fc.array(written, { maxLength: 3 }).map((items) => `{"data":[${items.join(',')}]}`),
  written.map((errors) => `{"errors":${errors},"data":${errors}}`),
  fc.string(),
);
const answers: fc.Arbitrary<FakeAnswer> = fc.record({
  status: fc.constantFrom(200, 200, 200, 201, 202, 400, 404, 422, 503),
  body: bodies,
});

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect({}).not.toHaveProperty('a');
});

test.each(METHODS)('property: %s handles every answer', async (name) => {
  await fc.assert(
    fc.asyncProperty(answers, async (answer) => {
      const outcome = await outcomeOf(name, answer);
      if (outcome instanceof Error) {
        expect(outcome).toBeInstanceOf(PaymentsApiError);
        return;
      }
      for (const result of [outcome].flat()) expectPlain(result);
    }),
    { numRuns: 40 },
  );
});

function expectPlain(result: unknown): void {
  if (typeof result !== 'object' || result === null) {
    expect(result).toBeUndefined();
    return;
  }
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  expect(Object.keys(result)).not.toContain('__proto__');
  expect(JSON.stringify(result).length).toBeLessThan(1_000_000);
}

const NESTED = 100_000;

// prettier-ignore
const READERS = [
  'getAgreement', 'listAgreements', 'getAgreementHistory', 'addIdentification', 'getPayment', 'getAmendment', 'listClients',
  'cancelAgreement',
] as const;

test.each(READERS)('%s handles an answer nested 100,000 levels deep', async (name) => {
  const deepest = `${'['.repeat(NESTED)}${']'.repeat(NESTED)}`;
  const entry = `{"uid":"a","body":${deepest},"metadata":${deepest},"x":${deepest}}`;
  for (const body of [deepest, `{"data":${deepest}}`, `{"data":${entry}}`, `{"data":[${entry}]}`]) {
    const outcome = await outcomeOf(name, { status: 200, body });
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(PaymentsApiError);
    else expect(() => JSON.stringify(outcome)).not.toThrow();
  }
});
