import { expect, test } from 'vitest';
import { anOrder, refusalIn } from '../../support/workflows/provider.js';
import { anActiveOne } from '../../support/workflows/virtual-agreement.js';
import type { PaymentOutcome, PaymentReport } from '../../../domain/payment/outcome.js';

const AT = '2026-10-01T01:00:00.000Z';
const reporting = (uid: string, outcome: PaymentOutcome, failures = 0): PaymentReport => ({
  uid,
  outcome,
  at: AT,
  failures,
});

test('the agreement shows what became of each, whatever is repeated', async () => {
  const { agr } = await anActiveOne();
  for (const uid of ['p-1', 'p-2', 'p-3']) await agr.pay({ uid, order: anOrder(agr.uid) });
  await agr.report(reporting('p-1', 'settled'));
  await agr.report({ ...reporting('p-1', 'settled'), refunded: 100 });
  await agr.report(reporting('p-2', 'failed', 1));
  await agr.report(reporting('nobody', 'failed', 1));
  expect(agr.view().payments).toMatchObject([
    { uid: 'p-1', outcome: 'settled', outcomeAt: AT, failures: 0, refunded: 100 },
    { uid: 'p-2', outcome: 'failed', failures: 1, refunded: 0 },
    { uid: 'p-3', outcome: 'in_flight', failures: 0 },
  ]);
  expect(agr.details()).toContain('payments: 1 in flight, 1 settled, 1 failed; the last one payment/p-3');
});

test('six failures in a row stop payments until an operator lets them go on; the next failure stops them again', async () => {
  const { agr } = await anActiveOne();
  const pay = (uid: string) => agr.pay({ uid, order: anOrder(agr.uid) });
  await pay('p');
  await agr.report(reporting('p', 'failed', 5));
  await agr.report(reporting('p', 'failed', 5));
  expect(agr.view()).toMatchObject({
    consecutiveFailures: { count: 5, stopsPayments: false },
    attention: [],
  });
  await pay('p-2');
  await agr.report(reporting('p-2', 'failed', 1));
  expect(agr.view()).toMatchObject({
    consecutiveFailures: { count: 6, stopsPayments: true },
    attention: [{ code: 'strikes' }],
  });
  expect(await pay('p-3').catch(refusalIn)).toBe('too_many_failures');

  await agr.resolve({ key: 'r', code: 'strikes', reason: 'the payer has topped up', by: 'ops' });
  expect(await pay('p-3')).toMatchObject({ fresh: true });
  await agr.report(reporting('p-3', 'failed', 1));
  expect(await pay('p-4').catch(refusalIn)).toBe('too_many_failures');

  await agr.report(reporting('p-2', 'settled', 1));
  expect(agr.view()).toMatchObject({
    consecutiveFailures: { count: 0, stopsPayments: false },
    attention: [],
  });
  expect(await pay('p-4')).toMatchObject({ fresh: true });
});

test('that a payment is refunded forgives no failure since it settled', async () => {
  const { agr } = await anActiveOne();
  for (const uid of ['p-1', 'p-2']) await agr.pay({ uid, order: anOrder(agr.uid) });
  await agr.report(reporting('p-1', 'settled'));
  await agr.report(reporting('p-2', 'failed', 5));
  await agr.report({ ...reporting('p-1', 'settled'), refunded: 100 });
  expect(agr.view().consecutiveFailures.count).toBe(5);
});

test('what has settled stays settled, though its payment reports later that it was never sent', async () => {
  const { agr } = await anActiveOne();
  for (const uid of ['p-1', 'p-2']) await agr.pay({ uid, order: anOrder(agr.uid) });
  await agr.report({ ...reporting('p-1', 'settled', 1), refunded: 100 });
  await agr.report(reporting('p-1', 'not_sent'));
  await agr.report(reporting('p-2', 'not_sent'));
  expect(agr.view().payments).toMatchObject([
    { uid: 'p-1', outcome: 'settled', failures: 1, refunded: 100 },
    { uid: 'p-2', outcome: 'not_sent' },
  ]);
});
