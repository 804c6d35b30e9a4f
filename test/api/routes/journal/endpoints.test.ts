import { expect, test } from 'vitest';
import { KEYS, anApi, get } from '../../../support/api/app.js';
import type { Posting } from '../../../../records/journal.js';

const POSTING: Posting = {
  ...{ id: 'settled/pay-1', day: '2026-10-04', at: '2026-10-03T14:00:00.000Z', connectionId: 'acme' },
  ...{ kind: 'settled', debit: 'clearing', credit: 'collections', amount: 500, paymentUid: 'pay-1' },
  agreementUid: 'agr-1',
  ...{ refundUid: undefined, accountUid: undefined, floatEntryId: undefined, caseUid: undefined },
};
const PATH = '/v1/journal?from=2026-10-04&until=2026-10-04';

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
  const lines = (await (await get(aJournal(), PATH)).text()).trim().split('\n');
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
  const rows = (await (await aJournal().app.request(PATH, { headers })).text()).trim().split('\r\n');
  expect(rows[1]).toBe(
    'line,settled/pay-1,2026-10-04,2026-10-03T14:00:00.000Z,2026-10-04T00:00:00.000+10:00,acme,settled,clearing,500,,,,pay-1,agr-1,,,,',
  );
  expect(rows.slice(5)).toEqual([`end,4${','.repeat(16)}`]);
});

test.each(['from=2026-10-05&until=2026-10-04', 'from=2026-10-04&until=2027-10-05'])(
  'the days %s are refused',
  async (query) => expect((await get(anApi(), `/v1/journal?${query}`)).status).toBe(400),
);
