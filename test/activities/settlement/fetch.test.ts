// Each due settlement report is stored once, and a late one is reported.
import { createHash } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger } from '@temporalio/worker';
import { expect, test, vi } from 'vitest';
import { confirmCreditActivity, type ConfirmArgs } from '../../../activities/float/cases.js';
import { fetchSettlementActivity } from '../../../activities/settlement/fetch.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import { aSweepDependencies } from '../../support/a-sweep.js';
import type { Records } from '../../../activities/dependencies.js';
import type { PaymentsApi } from '../../../payments-api/client.js';

const NOW = Date.parse('2026-10-06T02:00:00.000Z');
const environment = () => new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });

const aDownload = (bytes: Uint8Array, isTooLarge = false) => ({
  ...{ bytes, isTooLarge },
  checksum: createHash('sha256').update(bytes).digest('hex'),
});

function aProvider(reports: Readonly<Record<string, string | PaymentsApiError>>) {
  const stored = vi.fn<Records['storeReport']>(() => Promise.resolve('new'));
  const requestSettlementReport: PaymentsApi['requestSettlementReport'] = (day) => {
    const report = reports[day] ?? new PaymentsApiError('not_found', 'none');
    if (typeof report !== 'string') throw report;
    return Promise.resolve({ url: report, expiresAt: undefined });
  };
  const deps = {
    ...aSweepDependencies({
      requestSettlementReport,
      downloadSettlementReport: (text) => Promise.resolve(aDownload(Buffer.from(text, 'latin1'))),
    }),
    now: () => NOW,
    temporal: { workflow: { getHandle: () => ({ signal: () => Promise.resolve() }) } } as never,
  };
  deps.records.firstActivity = () => Promise.resolve('2026-10-01T02:00:00.000Z');
  deps.records.storeReport = stored;
  return {
    ...{ stored, deps },
    fetch: () => environment().run(fetchSettlementActivity(deps), { connectionId: 'acme' }),
  };
}

test('each due report is stored with its checksum, and a missing one is absent or late', async () => {
  const { fetch, stored } = aProvider({
    '2026-10-02': 'uid,amount\npay-1,500\n',
    '2026-10-03': 'uid,sum\npay-1,500\n',
  });
  // The 5th is Labour Day, so three days are due on the 6th.
  expect(await fetch()).toEqual({
    days: [
      { day: '2026-10-01', found: 'late' },
      { day: '2026-10-02', found: 'stored', stored: 'new' },
      { day: '2026-10-03', found: 'unreadable', stored: 'new' },
      ...['2026-10-04', '2026-10-05'].map((day) => ({ day, found: 'absent' })),
    ],
  });
  const [[first]] = stored.mock.calls as [[Parameters<Records['storeReport']>[0]]];
  expect(first.read.rows).toMatchObject([{ number: 1, uid: 'pay-1', amount: 500 }]);
  expect(first.checksum).toMatch(/^[0-9a-f]{64}$/);
});

test('a day that cannot be read or fetched does not hold back the others', async () => {
  const good = 'uid,amount\npay-1,500\n';
  const { fetch, stored, deps } = aProvider({
    ...{ '2026-10-01': 'uid,amount,name\npay-1,500,Ren\xe9\n', '2026-10-02': 'large' },
    ...{ '2026-10-03': new PaymentsApiError('unavailable', 'away'), '2026-10-04': `\xef\xbb\xbf${good}` },
  });
  const { downloadSettlementReport } = deps.payments;
  deps.payments.downloadSettlementReport = async (text) =>
    text === 'large' ? aDownload(Buffer.from(text), true) : downloadSettlementReport(text);
  await expect(fetch()).rejects.toMatchObject({ type: 'unavailable', nonRetryable: false });
  const reports = stored.mock.calls.map(([{ day, read, content, checksum }]) => ({
    day,
    read,
    content,
    checksum,
  }));
  expect(reports).toMatchObject([
    {
      day: '2026-10-01',
      read: { problem: 'not_text' },
      content: { base64: 'dWlkLGFtb3VudCxuYW1lCnBheS0xLDUwMCxSZW7pCg==' },
    },
    { day: '2026-10-02', read: { problem: 'too_large' }, content: undefined },
    { day: '2026-10-04', read: { state: 'stored' }, content: { csv: good } },
  ]);
  const bytes = Buffer.from(`\xef\xbb\xbf${good}`, 'latin1');
  expect(reports.at(-1)?.checksum).toBe(createHash('sha256').update(bytes).digest('hex'));
});

test('without access it stops and says why; an outage is retried', async () => {
  const forbidden = new PaymentsApiError('forbidden', 'no');
  expect(await aProvider({ '2026-10-01': forbidden }).fetch()).toEqual({ days: [], stopped: 'forbidden' });
  const outage = aProvider({ '2026-10-01': new PaymentsApiError('unavailable', 'away') });
  await expect(outage.fetch()).rejects.toMatchObject({ type: 'unavailable', nonRetryable: false });
  const nothing = aProvider({});
  nothing.deps.records.firstActivity = () => Promise.resolve(undefined);
  expect(await nothing.fetch()).toEqual({ days: [] });
});

test('a credit is confirmed by its entry only, and is overdue without one', async () => {
  const { deps } = aProvider({});
  const args = {
    uid: 'credit-1',
    accountUid: 'float-1',
    since: '2026-10-06T01:30:00.000Z',
    isOverdue: false,
  };
  const confirm = (over: Partial<ConfirmArgs> = {}) =>
    environment().run(confirmCreditActivity(deps), { ...args, ...over });
  await expect(confirm()).rejects.toBeInstanceOf(ApplicationFailure);
  const since = '2026-10-06T01:00:00.000Z';
  expect(await confirm({ since })).toEqual({ decideWithinMs: 3_600_000 });
  await expect(confirm({ since, isOverdue: true })).rejects.toMatchObject({ type: 'nothing_new' });
  const entry = { amount: 500, at: since, balanceAfter: 500 };
  deps.records.floatEntry = () => Promise.resolve({ ...entry, id: 'credit-1', connectionId: 'acme' });
  expect(await confirm()).toMatchObject({ found: { entry, connectionId: 'acme' } });
  deps.records.claimEntry = () => Promise.resolve('another');
  expect(await confirm()).toMatchObject({ joined: 'another' });
});
