import { expect, test } from 'vitest';
import { requestRetry, validateRetry } from '../../../workflows/payment/retry.js';
import { aFact } from '../../support/facts.js';
import {
  A_MANDATE,
  anOrder,
  fetchedAgreement,
  fetchedPayment,
  refusalIn,
} from '../../support/workflows/provider.js';
import { DAY, HOUR, SECOND, inVirtualTime } from '../../support/workflows/virtual.js';
import type { PaymentTerms } from '../../../domain/agreement/mandate.js';
import type { PaymentHandling } from '../../../domain/payment/handling.js';

const UID = 'agr-1';
const ONE_A_MONTH = { type: 'variable', frequency: 'monthly', count: 1, max_amount: 9000 };

async function under(terms: PaymentTerms) {
  const shown = (state: string) => {
    const fetched = fetchedAgreement(UID, state);
    const mandate = { ...A_MANDATE, payment_terms: terms };
    return Promise.resolve({ ...fetched, snapshot: { ...fetched.snapshot, mandate } });
  };
  const retried: string[] = [];
  const states = new Map<string, string>();
  const found = (uid: string) => Promise.resolve(fetchedPayment(uid, states.get(uid) ?? 'failed'));
  const scene = inVirtualTime({
    createAgreement: () => shown('created'),
    lookUpAgreement: () => shown('active'),
    submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created')),
    lookUpPayment: ({ uid }) => found(uid),
    findPayment: ({ uid }) => found(uid),
    retryPayment: ({ uid }) => Promise.resolve(retried.push(uid)).then(() => 'accepted' as const),
  });
  const agr = await scene.agreement({ uid: UID, mandate: { ...A_MANDATE, payment_terms: terms } });
  await agr.receive(aFact('activated', { publishedAt: scene.now() }));
  await scene.pass(SECOND);
  const pay = async (uid: string, order = {}, handling?: PaymentHandling) => {
    const whole = anOrder(UID, { amount: 500, ...order });
    await agr.pay({ uid, order: whole });
    const judged = { at: scene.now(), state: 'active', terms: {} } as const;
    const payment = await scene.payment({ uid, order: whole, requestedAt: scene.now(), judged, handling });
    await scene.pass(SECOND);
    const ends = async (type: 'failed' | 'settled'): Promise<void> => {
      states.set(uid, type);
      const publishedAt = new Date(Date.parse(scene.now()) + 1).toISOString();
      const detail = type === 'failed' ? { failure: { code: 'AM04', retryable: true } } : {};
      await payment.receive(aFact(type, { publishedAt, receivedAt: publishedAt, detail }));
      await scene.pass(SECOND);
      for (const report of scene.reports.splice(0)) await agr.report(report);
      await scene.settle();
    };
    /** As for a run that has ended: a new one starts with the retry. */
    const retry = (key: string) => {
      validateRetry(payment.carried(), { key, by: 'key-1' }, scene.now());
      return scene.payment({
        uid,
        carried: requestRetry(payment.carried(), { key, by: 'key-1' }, scene.now()),
      });
    };
    return { ends, retry };
  };
  return { scene, agr, pay, retried };
}

test.each(['in flight', 'settled'])(
  'a retry is not sent if a later payment, now %s, has used up the period',
  async (second) => {
    const { scene, agr, pay, retried } = await under(ONE_A_MONTH);
    const first = await pay('pay-1', {}, { retry: { attempts: 2, everySeconds: 86_400 } });
    await first.ends('failed');
    const other = await pay('pay-2');
    if (second === 'settled') await other.ends('settled');
    await scene.pass(DAY + HOUR);
    expect(retried).toEqual([]);
    expect(await agr.pay({ uid: 'pay-3', order: anOrder(UID, { amount: 500 }) }).catch(refusalIn)).toBe(
      'too_many_in_period',
    );
  },
);

test('the retry of a failed last payment is not sent once another last payment has settled', async () => {
  const { scene, pay, retried } = await under({
    ...{ type: 'balloon', frequency: 'adhoc', amount: 500, last_payment_amount: 9000 },
  });
  const last = { amount: 9000, last_payment: true };
  const first = await pay('last-1', last);
  await first.ends('failed');
  await (await pay('last-2', last)).ends('settled');
  await first.retry('r-1');
  await scene.pass(10 * SECOND);
  expect(retried).toEqual([]);
});

test('of two retries at once only one is sent if the terms allow one, and it keeps new payments out', async () => {
  const { scene, agr, pay, retried } = await under(ONE_A_MONTH);
  const first = await pay('pay-1');
  await first.ends('failed');
  const second = await pay('pay-2');
  await second.ends('failed');
  await Promise.all([first.retry('r-1'), second.retry('r-2')]);
  await scene.pass(10 * SECOND);
  expect(retried).toHaveLength(1);
  expect(await agr.pay({ uid: 'pay-3', order: anOrder(UID, { amount: 500 }) }).catch(refusalIn)).toBe(
    'too_many_in_period',
  );
});
