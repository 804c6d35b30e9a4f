import { expect, test } from 'vitest';
import { chunksOf } from '../../../../domain/batch/rows.js';
import { KEYS, anApi, get, post, sentOf } from '../../../support/api/app.js';
import { aBatchView, anAgreement, problemIn } from '../../../support/api/builders.js';

const refusing = anApi();

const agreements = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...anAgreement(),
    uid: `agr-${index}`,
    connection: undefined,
  }));
const batchOf = (...rows: unknown[]) => ({ id: 'b-1', kind: 'agreements', connection: 'acme', rows });
const aPayment = { uid: 'pay-1', agreement_uid: 'agr-1', amount: 100 };

test('one request accepts 1000 agreements with large metadata', async () => {
  const api = anApi();
  const metadata = { a: 'x'.repeat(1900) };
  const rows = agreements(1000).map((row) => ({ ...row, metadata }));
  const response = await post(api, '/v1/batches', batchOf(...rows));
  expect(response.status).toBe(202);
  expect(await response.json()).toMatchObject({ data: { id: 'b-1', rows: 1000, counts: { waiting: 1000 } } });
  const [asked] = api.door.batches.start.mock.calls[0] ?? [];
  expect(asked).toMatchObject({
    id: 'b-1',
    connection: 'acme',
    isDryRun: false,
    caller: { principal: 'key-all' },
  });
  expect(asked?.rows[999]).toMatchObject({
    row: { kind: 'agreements', uid: 'agr-999', mandate: { metadata } },
    refusals: [],
  });
});

test.each([
  ['two rows with one uid', [...agreements(1), ...agreements(1)], 'invalid_request', '/rows/1/uid'],
  ['a malformed uid', [{ ...agreements(1)[0], uid: "it's" }], 'invalid_request', '/rows/0/uid'],
  ['a row that is not an object', ['agr-1'], 'invalid_request', '/rows/0'],
  ['no rows', [], 'invalid_request', '/rows'],
  ['more than 1000 rows', agreements(1001), 'invalid_request', '/rows'],
])('a batch with %s is refused before any row starts', async (_, rows, code, pointer) => {
  const problem = await problemIn(await post(refusing, '/v1/batches', batchOf(...rows)));
  expect(problem).toMatchObject({ code, errors: [{ pointer }] });
  expect(sentOf(refusing.door)).toBe(0);
});

test.each([
  ['invalid rows', Array<unknown>(900).fill({}), 0],
  ['rows with one uid', Array<unknown>(900).fill({ uid: 'agr-1' }), 1],
])('of many %s, only the first 50 are reported', async (_, rows, first) => {
  const { errors = [] } = await problemIn(await post(refusing, '/v1/batches', batchOf(...rows)));
  expect(errors.map(({ pointer }) => pointer)).toEqual(
    Array.from({ length: 50 }, (_, index) => `/rows/${first + index}/uid`),
  );
});

test.each([false, true])(
  'an invalid row is refused without affecting other rows (dry run: %s)',
  async (isDryRun) => {
    const api = anApi();
    const late = '2020-01-01T00:00:00Z';
    const rows = [
      aPayment,
      { ...aPayment, uid: 'pay-2', submit_before: '31.12.2026', amount: -1 },
      { ...aPayment, uid: 'pay-3', submit_before: late },
      { ...aPayment, uid: 'pay-4', description: 'Fish &amp; Chips' },
      { ...aPayment, uid: 'pay-5', creditor: { party_name: 'B' } },
    ];
    const body = { id: 'b-1', kind: 'payments', rows };
    expect((await post(api, `/v1/batches?dry_run=${isDryRun}`, body)).status).toBe(202);
    expect(api.door.batches.start.mock.lastCall?.[0].rows).toMatchObject([
      { row: { kind: 'payments', uid: 'pay-1' }, refusals: [] },
      {
        row: { kind: 'refused', uid: 'pay-2' },
        refusals: [
          { code: 'invalid_request', pointer: '/amount' },
          { code: 'invalid_request', pointer: '/submit_before' },
        ],
      },
      { refusals: [{ code: 'provider_would_refuse', pointer: '/submit_before' }] },
      { refusals: [{ code: 'provider_would_refuse', pointer: '/description' }] },
      { refusals: [{ code: 'provider_would_refuse', pointer: '/creditor/account_identifier' }] },
    ]);
  },
);

test('an agreement row is refused for an invalid field or its own connection', async () => {
  const api = anApi();
  const [row] = agreements(1);
  const body = batchOf({ ...row, purpose: 'fun' }, { ...anAgreement(), connection: 'b' });
  expect((await post(api, '/v1/batches', body)).status).toBe(202);
  expect(api.door.batches.start.mock.lastCall?.[0].rows).toMatchObject([
    { refusals: [{ pointer: '/purpose' }] },
    { refusals: [{ pointer: '/connection' }] },
  ]);
});

test('the Idempotency-Key determines the batch id, and a batch without either is refused', async () => {
  const api = anApi();
  const { id: _, ...body } = batchOf(...agreements(1));
  const idOf = async (key: string) => {
    const response = await post(api, '/v1/batches?dry_run=true', body, { 'idempotency-key': key });
    const answer: unknown = await response.json();
    return JSON.stringify(answer);
  };
  expect(await idOf('k1')).toBe(await idOf('k1'));
  expect(await idOf('k1')).not.toBe(await idOf('k2'));
  expect(api.door.batches.start.mock.lastCall?.[0]).toMatchObject({ isDryRun: true, use: undefined });
  expect(await problemIn(await post(api, '/v1/batches', body))).toMatchObject({
    code: 'idempotency_key_required',
  });
});

test('10,000 identifications take their change from the request or from the row', async () => {
  const api = anApi();
  const own = { client_id: 'cl-2' };
  const rows = Array.from({ length: 10_000 }, (_, index) => ({
    uid: `agr-${index}`,
    ...(index === 0 && { initiator: own, debtor: { payment_account_uid: 'acc-1' } }),
  }));
  const body = { id: 'i-1', initiator: { client_id: 'cl-1' }, rows };
  expect((await post(api, '/v1/identifications', body)).status).toBe(202);
  const [asked] = api.door.batches.start.mock.calls[0] ?? [];
  expect(asked).toMatchObject({ kind: 'identifications', connection: undefined });
  expect(asked?.rows.slice(0, 2)).toEqual([
    {
      row: {
        ...{ kind: 'identifications', uid: 'agr-0' },
        ask: { initiator: own, debtor: { payment_account_uid: 'acc-1' } },
      },
      refusals: [],
    },
    {
      row: { kind: 'identifications', uid: 'agr-1', ask: { initiator: { client_id: 'cl-1' } } },
      refusals: [],
    },
  ]);
  expect((await post(api, '/v1/identifications', { id: 'i-2', rows: [{ uid: 'a' }] })).status).toBe(202);
  expect(api.door.batches.start.mock.lastCall?.[0].rows).toMatchObject([{ refusals: [{ pointer: '' }] }]);
});

test('rows are returned in pages, with pointers into the request', async () => {
  const api = anApi();
  api.door.batches.view.mockResolvedValue(aBatchView({ kind: 'payments', chunks: chunksOf([18]) }));
  const refusals = [{ code: 'amount_over_maximum', pointer: '/amount', detail: 'too much' }];
  const answer = { outcome: 'refused' as const, at: '2026-10-01T02:00:00.000Z', refusals };
  const lost = chunksOf([10]);
  api.door.batches.rows.mockResolvedValue({ rows: [{ index: 17, uid: 'pay-17', answer }], lost, next: 18 });
  const first: unknown = await (await get(api, '/v1/batches/b-1/rows?outcome=refused&per_page=1')).json();
  expect(first).toMatchObject({
    data: [
      { index: 17, refusals: [{ pointer: '/rows/17/amount' }], links: { resource: '/v1/payments/pay-17' } },
    ],
    no_longer_kept: [{ first: 0, last: 9, counts: { waiting: 10 } }],
  });
  const next = String(Reflect.get(Object(Reflect.get(Object(first), 'links')), 'next'));
  expect((await get(api, next)).status).toBe(200);
  expect(api.door.batches.rows.mock.lastCall?.[1]).toEqual({ outcome: 'refused', from: 18, per_page: 1 });
  expect((await get(api, next.replace('b-1', 'b-2'))).status).toBe(400);
});

test.each(['pause', 'resumption', 'abandonment'] as const)(
  'POST %s passes on the reason and the principal',
  async (command) => {
    const api = anApi();
    const headers = { authorization: `Bearer ${KEYS.operate}` };
    expect((await post(api, `/v1/batches/b-1/${command}`, { reason: 'as agreed' }, headers)).status).toBe(
      200,
    );
    const word = { command, reason: 'as agreed', by: 'key-operate' };
    expect(api.door.batches.steer).toHaveBeenCalledExactlyOnceWith('b-1', word);
    expect((await post(api, `/v1/batches/b-1/${command}`, {}, headers)).status).toBe(400);
  },
);

test('batches can be filtered by awaiting', async () => {
  const api = anApi();
  api.door.batches.list.mockResolvedValue({ items: [aBatchView({ id: 'b-1' })], next: undefined });
  const response = await get(api, '/v1/batches?awaiting=rows');
  expect(await response.json()).toMatchObject({ data: [{ id: 'b-1' }] });
  expect(api.door.batches.list.mock.lastCall?.[0]).toMatchObject({ filter: { awaiting: 'rows' } });
});
