import { expect, test } from 'vitest';
import { ApiError } from '../../../../api/http/problems/errors.js';
import { expectedDays } from '../../../../domain/settlement/expected.js';
import { KEYS, anApi, get } from '../../../support/api/app.js';
import { problemIn } from '../../../support/api/builders.js';
import type { Posting } from '../../../../records/journal.js';

const PATH = '/v1/expected-and-received?from=2026-10-01&until=2026-10-02';
const NONE = { count: 0, amount: 0 };

function anApiWithDays() {
  const api = anApi();
  api.door.settlement.expected.mockImplementation(async function* () {
    const step = { connectionId: 'acme', resource: 'payment', to: 'settled' } as const;
    const steps = [
      { ...step, name: undefined, before: { count: 2, amount: 900 }, after: { count: 2, amount: 900 } },
      { ...step, name: 'in_flight' as const, before: { count: 1, amount: 50 }, after: NONE },
    ];
    yield await Promise.resolve(expectedDays('2026-10-01', steps, []));
    yield expectedDays('2026-10-02', [], [{ connectionId: 'acme', count: 1, amount: 70 }]);
  });
  return api;
}

test('each day has its sides, and the difference between two of them by name', async () => {
  const api = anApiWithDays();
  const answer = (await (await get(api, PATH)).json()) as { data: { days: object[] } };
  expect(answer.data).toMatchObject({
    ...{ from: '2026-10-01', until: '2026-10-02' },
    days: [
      {
        ...{ day: '2026-10-01', next_business_day: '2026-10-02', connection: 'acme', resource: 'payment' },
        planned: NONE,
        ...{ expected: { count: 3, amount: 950 }, settled: { count: 2, amount: 900 } },
        differences: [
          {
            ...{ from: 'expected', to: 'settled', count: -1, amount: -50 },
            explained: [{ name: 'in_flight', count: -1, amount: -50 }],
          },
          { from: 'settled', to: 'reported', explained: [] },
          { from: 'reported', to: 'credited', explained: [] },
        ],
      },
      { day: '2026-10-02', planned: { count: 1, amount: 70 }, expected: NONE },
    ],
  });
  expect(api.door.settlement.expected).toHaveBeenCalledWith({
    ...{ from: '2026-10-01', until: '2026-10-02', connection: undefined },
  });
});

test('as CSV, each total, difference and name is a row, and the last row counts them', async () => {
  const headers = { accept: 'text/csv', authorization: `Bearer ${KEYS.all}` };
  const rows = (await (await anApiWithDays().app.request(PATH, { headers })).text()).trim().split('\r\n');
  expect(rows.slice(0, 3)).toEqual([
    'type,day,connection,resource,from,to,name,count,amount',
    'total,2026-10-01,acme,payment,,,planned,0,0',
    'total,2026-10-01,acme,payment,,,expected,3,950',
  ]);
  expect(rows).toContain('explained,2026-10-01,acme,payment,expected,settled,in_flight,-1,-50');
  expect(rows.at(-1)).toBe('end,17,,,,,,,');
});

test.each(['from=2026-10-02&until=2026-10-01', 'from=2026-10-01&until=2026-12-02', 'from=2026-10-01'])(
  'the days %s are refused',
  async (query) => expect((await get(anApi(), `/v1/expected-and-received?${query}`)).status).toBe(400),
);

test('without the records the answer is a problem, also as CSV', async () => {
  const api = anApi();
  // eslint-disable-next-line require-yield -- It fails before the first day.
  api.door.settlement.expected.mockImplementation(async function* () {
    await Promise.reject(new ApiError('records_unavailable', 'away'));
  });
  const headers = { accept: 'text/csv', authorization: `Bearer ${KEYS.all}` };
  for (const answer of [await get(api, PATH), await api.app.request(PATH, { headers })])
    expect((await problemIn(answer)).code).toBe('records_unavailable');
});

const POSTING: Posting = {
  ...{ id: 'settled/pay-1', day: '2026-10-04', at: '2026-10-03T14:00:00.000Z', connectionId: 'acme' },
  ...{ kind: 'settled', debit: 'clearing', credit: 'collections', amount: 500, paymentUid: 'pay-1' },
  agreementUid: 'agr-1',
  ...{ refundUid: undefined, accountUid: undefined, floatEntryId: undefined, caseUid: undefined },
};
const JOURNAL = '/v1/journal?from=2026-10-04&until=2026-10-04';

function aJournal() {
  const api = anApi();
  api.door.journal.read.mockImplementation(async function* () {
    const of = { day: '2026-10-04', connectionId: 'acme' };
    yield await Promise.resolve({ postings: [POSTING], balances: [], totals: [] });
    yield {
      postings: [],
      balances: [{ ...of, accountUid: 'float-1', closing: 7, isComplete: true }],
      totals: [{ ...of, account: 'clearing', debit: 500, credit: 0 }],
    };
  });
  return api;
}

test('the journal is JSON lines: both sides of each posting, the balances, the totals, and the end with the number of lines', async () => {
  const lines = (await (await get(aJournal(), JOURNAL)).text()).trim().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { type: 'line', entry: 'settled/pay-1', account: 'clearing', debit: 500, credit: null },
    { type: 'line', entry: 'settled/pay-1', account: 'collections', debit: null, credit: 500 },
    { type: 'balance', account: 'float/float-1', closing: 7, complete: true },
    { type: 'total', account: 'clearing', debit: 500, credit: 0 },
    { end: true, lines: 4 },
  ]);
});

test('as CSV it ends with a row that counts the others', async () => {
  const headers = { accept: 'text/csv', authorization: `Bearer ${KEYS.all}` };
  const rows = (await (await aJournal().app.request(JOURNAL, { headers })).text()).trim().split('\r\n');
  expect(rows[1]).toBe(
    'line,settled/pay-1,2026-10-04,2026-10-03T14:00:00.000Z,2026-10-04T00:00:00.000+10:00,acme,settled,clearing,500,,,,pay-1,agr-1,,,,',
  );
  expect(rows.slice(5)).toEqual([`end,4${','.repeat(16)}`]);
});

test.each(['from=2026-10-05&until=2026-10-04', 'from=2026-10-04&until=2027-10-05'])(
  'the days %s are refused',
  async (query) => expect((await get(anApi(), `/v1/journal?${query}`)).status).toBe(400),
);
