import { expect, test } from 'vitest';
import { boundTo, signedIn } from '../../support/api/browsers.js';
import { KEYS, anApi, type Api } from '../../support/api/app.js';
import { aFloatAccountView, aPaymentView, anOrder } from '../../support/api/builders.js';

const DAY = '2026-09-29';
const A_FLOAT_ENTRY = {
  ...{ id: 'entry-1', at: '2026-09-29T01:00:00.000Z', amount: 4200, balanceAfter: 10_004_200 },
  ...{ description: 'pay-1 from 200001-12340001', paymentUid: 'pay-1' },
};

test('the report of the provider is downloaded only with the scope personal', async () => {
  const api = anApi();
  api.door.settlement.report.mockResolvedValue({ content: { csv: 'Payment\r\n' } });
  const path = `/console/day/report?day=${DAY}&connection=acme`;
  expect(await (await signedIn(api, KEYS.readPersonal)).page(path)).toBe('Payment\r\n');
  expect((await (await signedIn(api)).get(path)).status).toBe(403);
});

const NOTHING = { count: 0, amount: 0 };

/** A day of which the report lacks one payment. */
function aDayWithException(api: Api): void {
  const missing = { connectionId: 'acme', resource: 'payment', otherConnectionId: undefined } as const;
  api.door.settlement.reconcile.mockResolvedValue({
    ...{ from: '2026-09-28T14:00:00.000Z', until: '2026-09-29T14:00:00.000Z' },
    reports: [
      {
        ...{ connectionId: 'acme', state: 'stored', problem: undefined, checksum: 'c0ffee', lineCount: 2 },
        fetchedAt: '2026-09-29T20:00:00.000Z',
      },
    ],
    compared: [
      {
        ...{ comparison: 'agrees', resource: 'payment', count: 2, inFloat: 2 },
        ...{ settled: { count: 2, amount: 10_000_007 }, reported: { count: 2, amount: 10_000_007 } },
      },
      {
        ...{ comparison: 'missing_in_report', resource: 'payment', count: 1, inFloat: 0 },
        ...{ settled: { count: 1, amount: 4200 }, reported: NOTHING },
      },
    ],
    exceptions: [
      {
        ...{ ...missing, kind: 'missing_in_report', uid: 'pay-1', settledAmount: 4200, line: undefined },
        ...{ reportedAmount: undefined, floatAmount: undefined, settledAt: '2026-09-29T01:00:00.000Z' },
      },
      {
        ...{ ...missing, kind: 'unknown_here', uid: 'pay-x', settledAmount: undefined, line: 2 },
        ...{ reportedAmount: 4200, floatAmount: undefined, settledAt: undefined },
      },
    ],
    float: [{ isCredit: true, isMatched: false, count: 1, amount: 700 }],
  });
}

test('without a day in the address, the page is that of the last day whose report is due', async () => {
  const api = anApi();
  const page = await (await signedIn(api)).page('/console/day');
  // Now is Thursday, 1 October 2026: the report of Wednesday is due.
  expect(api.door.settlement.reconcile.mock.lastCall?.[0]).toBe('2026-09-30');
  expect(page).toContain('href="/console/day?day=2026-09-29"');
  expect(page).toContain('0 payments of $0.00 and 0 refunds of $0.00 settled here. No report is expected.');
});

test('a day names each exception, what to do, and what may explain it', async () => {
  const api = anApi();
  aDayWithException(api);
  api.door.floatAccounts.list.mockResolvedValue({ items: [aFloatAccountView()], next: undefined });
  const page = await (await signedIn(api)).page(`/console/day?day=${DAY}&connection=acme`);
  expect(api.door.settlement.reconcile.mock.lastCall?.slice(0, 2)).toEqual([DAY, 'acme']);
  expect(page).toContain('3 payments of $100,042.07 and 0 refunds of $0.00 settled here.');
  expect(page).toContain('Settled here, and missing in the report: 1 payment');
  expect(page).toContain('the report does not have it. Look it up. If the provider');
  expect(page).toMatch(
    /href="\/console\/payments\/pay-1\/commands\/look-up".*perhaps the same payment.*pay-x/s,
  );
  expect(page).toContain(`href="/console/float-accounts/float-1/statements/${DAY}"`);
});

test('a day of a connection that the key must not see looks like one that does not exist', async () => {
  const api = anApi();
  boundTo(api, 'other');
  const answer = await (await signedIn(api)).get(`/console/day?day=${DAY}&connection=acme`);
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain('There is no connection with this id, or your key must not see it.');
  expect(api.door.settlement.reconcile).not.toHaveBeenCalled();
});

test('the journal of the day is a file, as the API streams it', async () => {
  const api = anApi();
  const answer = await (await signedIn(api)).get(`/console/day/journal?day=${DAY}&connection=acme`);
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="journal-${DAY}-acme.csv"`);
  expect(answer.headers.get('content-type')).toContain('text/csv');
  expect(await answer.text()).toMatch(/^type,entry,day,.*\nend,0,/s);
  expect(api.door.journal.read.mock.lastCall?.[0]).toEqual({ from: DAY, until: DAY, connection: 'acme' });
});

test('the statement of a day is a page and a file, both without accounts unless the key has personal', async () => {
  const api = anApi();
  const statement = { opening: 10_000_000, closing: 10_004_200, readAt: undefined, breaks: [] };
  const sums = { credits: { count: 1, amount: 4200 }, debits: NOTHING, unmatched: NOTHING };
  api.door.floatAccounts.statement.mockResolvedValue({
    ...{ ...statement, ...sums, matched: { count: 1, amount: 4200 }, entries: [A_FLOAT_ENTRY] },
  });
  api.door.floatAccounts.entries.mockResolvedValue([A_FLOAT_ENTRY]);
  const page = '/console/float-accounts/float-1';
  const [all, personal] = [await signedIn(api), await signedIn(api, KEYS.readPersonal)];
  const shown = await all.page(`${page}?day=${DAY}`);
  expect(shown).toMatch(/\$100,000\.00.*\$42\.00 in 1 entry.*\$100,042\.00/s);
  expect(shown).toContain('Do not book the day before this note is gone.');
  expect(shown).toContain('payment <a href="/console/payments/pay-1">');
  expect(shown).not.toContain('12340001');
  expect(await all.page(`${page}/statements/${DAY}`)).not.toContain('12340001');
  expect(await personal.page(`${page}/statements/${DAY}`)).toContain('12340001');
});

test('a broken chain is acknowledged with a reason', async () => {
  const api = anApi();
  const flag = {
    code: 'float_chain',
    since: '2026-10-01T01:00:00.000Z',
    detail: 'A gap.',
    next: 'Compare.',
  } as const;
  api.door.floatAccounts.view.mockResolvedValue(aFloatAccountView({ attention: [flag] }));
  const person = await signedIn(api);
  const path = '/console/float-accounts/float-1/commands/acknowledgement';
  expect(await person.page(path)).toContain('No entry changes');
  const answer = await person.send(path, { key: 'k-1', reason: 'Corrected, case 7' });
  expect(answer.headers.get('location')).toBe('/console/float-accounts/float-1?done=acknowledgement');
  expect(api.door.floatAccounts.acknowledge.mock.lastCall).toEqual([
    ...['float-1', { reason: 'Corrected, case 7', by: KEYS.all }],
  ]);
});

test('a settled payment has its refunds, and links to its day and to its entry in a float account', async () => {
  const api = anApi();
  const at = '2026-09-29T01:00:00.000Z';
  const refund = { uid: 'ref-1', amount: 305, requestedAt: at, outcome: 'processed', outcomeAt: at } as const;
  const settled = { state: 'settled', stateSince: '2026-09-29T01:00:00.000Z', connectionId: 'acme' } as const;
  api.door.payments.view.mockResolvedValue(
    aPaymentView({ order: { ...anOrder(), amount: 4200 }, ...settled, refunds: [refund] }),
  );
  api.door.floatAccounts.list.mockResolvedValue({ items: [aFloatAccountView()], next: undefined });
  api.door.floatAccounts.entries.mockResolvedValue([A_FLOAT_ENTRY]);
  const page = await (await signedIn(api)).page('/console/payments/pay-1');
  expect(page).toContain(`href="/console/day?day=${DAY}&amp;connection=acme"`);
  expect(page).toContain(`href="/console/float-accounts/float-1?day=${DAY}#entries"`);
  expect(page).toMatch(/ref-1.*processed.*\$3\.05/s);
});
