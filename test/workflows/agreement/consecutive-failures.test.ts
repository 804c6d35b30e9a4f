import { describe, expect, test } from 'vitest';
import { permissionFor } from '../../../workflows/agreement/payments.js';
import { anOrder, refusalIn } from '../../support/workflows/provider.js';
import { anActiveOne } from '../../support/workflows/virtual-agreement.js';
import type { PaymentOutcome, PaymentReport } from '../../../domain/payment/outcome.js';

const AT = '2026-10-01T01:00:00.000Z';
const reporting = (uid: string, outcome: PaymentOutcome, failures = 0): PaymentReport => ({
  ...{ uid, amount: 4200, requestedAt: AT },
  ...{ outcome, at: AT, failures },
});

test('the agreement shows the outcome of each payment, also of repeated reports and adopted payments', async () => {
  const { agr } = await anActiveOne();
  for (const uid of ['p-1', 'p-2', 'p-3']) await agr.pay({ uid, order: anOrder(agr.uid) });
  await agr.report(reporting('p-1', 'settled'));
  await agr.report({ ...reporting('p-1', 'settled'), refunded: 100 });
  await agr.report(reporting('p-2', 'failed', 1));
  for (let time = 0; time < 2; time += 1)
    await agr.report({ ...reporting('adopted', 'failed', 1), amount: 70 });
  expect(agr.view().consecutiveFailures.count).toBe(2);
  expect(agr.view().payments).toMatchObject([
    { uid: 'adopted', amount: 70, requestedAt: AT, outcome: 'failed', failures: 1 },
    { uid: 'p-1', outcome: 'settled', outcomeAt: AT, failures: 0, refunded: 100 },
    { uid: 'p-2', outcome: 'failed', failures: 1, refunded: 0 },
    { uid: 'p-3', outcome: 'in_flight', failures: 0 },
  ]);
  expect(agr.details()).toContain('payments: 1 in flight, 1 settled, 2 failed; the latest is payment/p-3');
});

test('six consecutive failures stop payments and one more stops them again after an operator resumes them', async () => {
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
    attention: [{ code: 'consecutive_failures' }],
  });
  expect(await pay('p-3').catch(refusalIn)).toBe('too_many_failures');

  await agr.resolve({ key: 'r', code: 'consecutive_failures', reason: 'the payer has topped up', by: 'ops' });
  expect(await pay('p-3')).not.toHaveProperty('repeatOf');
  await agr.report(reporting('p-3', 'failed', 1));
  expect(await pay('p-4').catch(refusalIn)).toBe('too_many_failures');

  await agr.report(reporting('p-2', 'settled', 1));
  expect(agr.view()).toMatchObject({
    consecutiveFailures: { count: 0, stopsPayments: false },
    attention: [],
  });
  expect(await pay('p-4')).not.toHaveProperty('repeatOf');
});

test('once an operator has accepted six failures, payments are let in one at a time until one settles', async () => {
  const { agr } = await anActiveOne();
  const pay = (uid: string) => agr.pay({ uid, order: anOrder(agr.uid) });
  await pay('p');
  await agr.report(reporting('p', 'failed', 6));
  await agr.resolve({ key: 'r', code: 'consecutive_failures', reason: 'the payer has topped up', by: 'ops' });
  await pay('p-2');
  expect(await pay('p-3').catch(refusalIn)).toBe('too_many_in_flight');
  await agr.report({ ...reporting('p-2', 'settled'), at: '2026-10-01T02:00:00.000Z' });
  for (const uid of ['p-3', 'p-4']) expect(await pay(uid)).not.toHaveProperty('repeatOf');
});

test.each([
  ['before', '2026-10-01T00:59:59.000Z', 6, ['consecutive_failures']],
  ['between', '2026-10-01T01:00:02.500Z', 3, []],
  ['after', '2026-10-01T02:00:00.000Z', 0, []],
])('a settlement %s the failures, reported late, leaves the later ones', async (_when, at, count, flags) => {
  const { agr } = await anActiveOne();
  for (let n = 0; n < 6; n += 1)
    await agr.report({ ...reporting(`p-${n}`, 'failed', 1), at: `2026-10-01T01:00:0${n}.000Z` });
  await agr.report({ ...reporting('slow', 'settled'), at });
  const { consecutiveFailures, attention } = agr.view();
  expect([consecutiveFailures.count, attention.map(({ code }) => code)]).toEqual([count, flags]);
});

test('a refund does not reset failures that followed the settlement', async () => {
  const { agr } = await anActiveOne();
  for (const uid of ['p-1', 'p-2']) await agr.pay({ uid, order: anOrder(agr.uid) });
  await agr.report(reporting('p-1', 'settled'));
  await agr.report(reporting('p-2', 'failed', 5));
  await agr.report({ ...reporting('p-1', 'settled'), refunded: 100 });
  expect(agr.view().consecutiveFailures.count).toBe(5);
});

test('a settled payment stays settled after a later report that it was not sent', async () => {
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

test('a payment takes the reported amount unless it was not sent', async () => {
  const { agr } = await anActiveOne();
  const requests = ['p-1', 'p-2'].map((uid) => ({ uid, order: anOrder(agr.uid) }));
  for (const request of requests) await agr.pay(request);
  await agr.report({ ...reporting('p-1', 'in_flight'), amount: 70 });
  await agr.report({ ...reporting('p-2', 'not_sent'), amount: 70 });
  expect(agr.view().payments.map(({ amount }) => amount)).toEqual([70, 4200]);
  for (const request of requests) expect(await agr.pay(request)).toMatchObject({ repeatOf: 'uid' });
});

describe('limit on payments in flight', () => {
  test('refuses payments whose failure could suspend the agreement', async () => {
    const { agr } = await anActiveOne();
    const pay = (uid: string) => agr.pay({ uid, order: anOrder(agr.uid) });
    for (let n = 1; n <= 6; n += 1) await pay(`p-${n}`);
    expect(await pay('p-7').catch(refusalIn)).toBe('too_many_in_flight');
    await agr.report(reporting('p-1', 'failed', 1));
    expect(await pay('p-7').catch(refusalIn)).toBe('too_many_in_flight');
    await agr.report(reporting('p-2', 'settled'));
    await pay('p-7');
    expect(await pay('p-8')).not.toHaveProperty('repeatOf');
    expect(await pay('p-9').catch(refusalIn)).toBe('too_many_in_flight');
  });

  test('counts all payments against a retry and only earlier ones against a waiting payment', async () => {
    const { agr } = await anActiveOne();
    for (let n = 1; n <= 6; n += 1) await agr.pay({ uid: `p-${n}`, order: anOrder(agr.uid) });
    await agr.report(reporting('p-1', 'failed', 1));
    const ask = { uid: 'p-1', order: anOrder(agr.uid), at: AT };
    expect(permissionFor(agr.state(), { ...ask, isRetry: false })).toHaveProperty('judged');
    expect(permissionFor(agr.state(), { ...ask, isRetry: true })).toMatchObject({
      refusal: { code: 'too_many_in_flight' },
    });
  });
});
