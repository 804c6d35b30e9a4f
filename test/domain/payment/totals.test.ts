import { expect, test } from 'vitest';
import { totalsOf } from '../../../domain/payment/totals.js';
import type { PaymentOutcome } from '../../../domain/payment/outcome.js';

const asked = (requestedAt: string, outcome: PaymentOutcome, refunded = 0) => ({
  amount: 100,
  requestedAt,
  outcome,
  refunded,
});
const NONE = { count: 0, amount: 0 };

test('totals group payments by outcome and period of their Sydney request day', () => {
  const payments = [
    asked('2026-09-30T13:59:59.999Z', 'failed'),
    asked('2026-09-30T14:00:00.000Z', 'settled', 30),
    asked('2026-10-20T00:00:00.000Z', 'settled'),
    asked('2026-10-21T00:00:00.000Z', 'in_flight'),
  ];
  const outcomes = { in_flight: NONE, settled: NONE, failed: NONE, not_sent: NONE, unresolved: NONE };
  const october = { ...outcomes, settled: { count: 2, amount: 200 }, in_flight: { count: 1, amount: 100 } };
  const september = { ...outcomes, failed: { count: 1, amount: 100 } };
  expect(totalsOf('adhoc', payments)).toEqual([
    { from: '2026-10-01', until: '2026-11-01', totals: october, refunded: 30 },
    { from: '2026-09-01', until: '2026-10-01', totals: september, refunded: 0 },
  ]);
  expect(totalsOf('weekly', payments).map(({ from }) => from)).toEqual(['2026-10-19', '2026-09-28']);
});

test('totals cover the newest twelve periods', () => {
  const days = Array.from({ length: 20 }, (_, n) => asked(`2026-10-${10 + n}T02:00:00.000Z`, 'settled'));
  expect(totalsOf('daily', days).map(({ from }) => from)).toEqual(
    Array.from({ length: 12 }, (_, n) => `2026-10-${29 - n}`),
  );
});
