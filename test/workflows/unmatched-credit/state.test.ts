import { viewOf } from '../../../workflows/unmatched-credit/view.js';
import { expect, test } from 'vitest';
import { newCase, applyReport } from '../../../workflows/unmatched-credit/state.js';
import { reportedBy } from '../../../workflows/unmatched-credit/contract.js';
import type { Fact } from '../../../domain/facts/fact.js';

const AT = '2026-10-01T02:00:00.000Z';
const report = (amount: number, over: Partial<Fact> = {}): Fact => ({
  ...{ id: 'e-1', type: 'float_accounts.unmatched_credit.received', publishedAt: AT, receivedAt: AT },
  ...{ source: 'webhook', authenticated: true },
  detail: { id: 'c-1', float_bank_account_id: 'f-1', amount },
  ...over,
});
const OF_ANOTHER = { provenConnectionId: 'other', namedConnectionId: 'other' };

test('what the secret of one connection proved is a hint that the application’s notification replaces', () => {
  const started = newCase({ uid: 'c-1', accountUid: 'f-1', fact: report(1, OF_ANOTHER) }, AT);
  expect(viewOf(started)).toMatchObject({ isAuthenticated: false });
  const genuine = applyReport(started, report(4200));
  expect(viewOf(genuine)).toMatchObject({ isAuthenticated: true });
  expect(genuine.facts).toMatchObject([{ detail: { amount: 4200 }, authenticated: true }]);
  const later = applyReport(genuine, report(2, { id: 'e-2', ...OF_ANOTHER }));
  expect(later.report).toEqual(genuine.report);
  expect(new Set([report(1), report(1, OF_ANOTHER), undefined].map(reportedBy)).size).toBe(3);
});

test('a report of 1 MiB is shortened, because state and row must fit into one call', () => {
  const fact = report(4200);
  const huge = { ...fact, detail: { ...fact.detail, debtor: { reference: 'x'.repeat(1024 * 1024) } } };
  const { facts } = newCase({ uid: 'c-1', accountUid: 'f-1', fact: huge }, AT);
  expect(facts).toEqual([{ ...fact, dropped: true }]);
});
