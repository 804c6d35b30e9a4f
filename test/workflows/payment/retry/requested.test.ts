import { describe, expect, test } from 'vitest';
import { requestRetry } from '../../../../workflows/payment/retry.js';
import { aFact } from '../../../support/facts.js';
import { failure, fetchedPayment } from '../../../support/workflows/provider.js';
import { HOUR, SECOND, inVirtualTime, unanswered } from '../../../support/workflows/virtual.js';
import { MINUTE, accepted, failed, rejected } from '../../../support/workflows/submissions.js';

async function retried(...given: Parameters<typeof failed>) {
  const { scene, life, ...rest } = await failed(...given);
  const { uid } = life;
  const request = { key: 'r-1', by: 'key-1' };
  const payment = await scene.payment({
    uid,
    carried: requestRetry(life.carried(), request, scene.now()),
  });
  return { scene, payment, ...rest };
}
const outcomes = ({ reports }: { reports: { outcome: string; failures: number }[] }): string[] =>
  reports.map(({ outcome, failures }) => `${outcome} ${failures}`);

describe('retry requested by a caller', () => {
  test('is refused while the previous submission is in flight', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const scene = inVirtualTime({
      submitPayment: async ({ uid }) => {
        await answered;
        return fetchedPayment(uid, 'created');
      },
      retryPayment: accepted,
      lookUpPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'failed')),
    });
    const payment = await scene.payment({});
    const detail = { failure: { code: 'AM04', retryable: true } };
    await payment.receive(aFact('failed', { publishedAt: scene.now(), receivedAt: scene.now(), detail }));
    await expect(payment.retry('r-1')).rejects.toMatchObject({ type: 'payment_not_failed' });
    answer();
    await scene.pass(SECOND);
    await payment.retry('r-1');
    await scene.pass(SECOND);
    expect(payment.view()).toMatchObject({ state: 'retrying', submissions: 2 });
    expect(scene.calls.filter((call) => call === 'retryPayment')).toHaveLength(1);
  });

  test('starts a second attempt that stays in flight until an event ends it', async () => {
    const { scene, payment, sendings } = await retried(accepted);
    await payment.retry('r-1');
    await scene.pass(MINUTE);
    expect(payment.view()).toMatchObject({
      state: 'retrying',
      awaiting: { what: 'settlement' },
      submissions: 2,
      attempts: [
        { n: 1, state: 'failed', failure: { code: 'AM04' } },
        { n: 2, state: 'retrying' },
      ],
    });
    await payment.receive(aFact('settled', { publishedAt: scene.now() }));
    expect(payment.view()).toMatchObject({ state: 'settled', attempts: [{}, { n: 2, state: 'settled' }] });
    expect(payment.isOver()).toBe(true);
    expect([sendings(), outcomes(scene)]).toEqual([1, ['failed 1', 'settled 1']]);
  });

  test('fails at once after an event and with a delay after a look-up', async () => {
    const byEvent = await retried(accepted);
    await byEvent.scene.pass(SECOND);
    await byEvent.payment.receive(byEvent.fail('TM01'));
    expect(byEvent.payment.view()).toMatchObject({ state: 'failed', failure: { code: 'TM01' } });
    const shown = await retried(accepted);
    await shown.payment.lookUpNow();
    await shown.scene.pass(MINUTE);
    expect(shown.payment.view().state).toBe('retrying');
    await shown.scene.pass(2 * MINUTE);
    expect(shown.payment.view()).toMatchObject({
      state: 'failed',
      attempts: [{}, { n: 2, state: 'failed' }],
    });
    expect(outcomes(shown.scene)).toEqual(['failed 1', 'failed 2']);
  });

  test.each([
    ['a new state', 'submitting', 'submitting'],
    ['a settlement', 'settled', 'settled'],
  ])('counts as accepted without an answer if the provider shows %s', async (_what, shows, state) => {
    let now = 'failed';
    const { scene, payment, sendings } = await retried(() => Promise.reject(failure('unavailable')), {
      shows: () => now,
    });
    await scene.pass(20 * SECOND);
    expect(payment.view()).toMatchObject({ attention: [{ code: 'unknown_outcome' }] });
    now = shows;
    await scene.pass(HOUR);
    expect(payment.view()).toMatchObject({ state, attention: [], submissions: 2 });
    expect(sendings()).toBe(1);
  });

  test.each(['submitting', 'pending', 'under_investigation'])(
    'is parked without an answer if a late read shows the previous attempt as %s',
    async (before) => {
      let now = before;
      const { scene, payment, sendings } = await retried(() => Promise.reject(failure('unavailable')), {
        shows: () => now,
      });
      await scene.pass(60 * SECOND);
      now = 'failed';
      await scene.pass(HOUR);
      expect(payment.view()).toMatchObject({ state: 'retrying', attention: [{ code: 'parked' }] });
      expect(sendings()).toBe(1);
    },
  );

  test('is sent after a stop only once payments resume', async () => {
    let isStopped = true;
    const { scene, payment, sendings } = await retried(
      () => (isStopped ? Promise.reject(failure('stopped')) : Promise.resolve('accepted')),
      { isStopped: () => isStopped },
    );
    await scene.pass(HOUR);
    expect([payment.view().awaiting.what, payment.view().submissions, sendings()]).toEqual(['stop', 1, 1]);
    isStopped = false;
    await scene.pass(MINUTE);
    expect(payment.view()).toMatchObject({
      state: 'retrying',
      awaiting: { what: 'settlement' },
      submissions: 2,
    });
    expect(sendings()).toBe(2);
  });

  test('shows the time of its submission instead of its request, also after a further retry', async () => {
    let isStopped = true;
    const { scene, payment, fail } = await retried(
      () => (isStopped ? Promise.reject(failure('stopped')) : Promise.resolve('accepted')),
      { isStopped: () => isStopped },
    );
    const [first, second] = payment.view().attempts;
    expect(first?.sentAt).toBe(first?.startedAt);
    await scene.pass(HOUR);
    expect(payment.view().attempts[1]?.sentAt).toBeUndefined();
    isStopped = false;
    await scene.pass(MINUTE);
    const sent = payment.view().attempts[1]?.sentAt ?? '';
    expect(Date.parse(sent) - Date.parse(second?.startedAt ?? '')).toBeGreaterThanOrEqual(HOUR);
    await payment.receive(fail('TM01'));
    await payment.retry('r-2');
    await scene.pass(SECOND);
    expect(payment.view().attempts).toMatchObject([{ sentAt: first?.sentAt }, { sentAt: sent }, { n: 3 }]);
  });

  test('counts as accepted without an answer if a new event arrives', async () => {
    const { scene, payment, sendings, fail } = await retried(() => Promise.reject(failure('unavailable')));
    await scene.pass(10 * SECOND);
    await payment.receive(fail('TM01'));
    await scene.pass(HOUR);
    expect(payment.view()).toMatchObject({ state: 'failed', failure: { code: 'TM01' }, attention: [] });
    expect(sendings()).toBe(1);
  });

  test('is parked and never repeated if there is no answer and no news', async () => {
    const { scene, payment, sendings } = await retried(() => Promise.reject(failure('unavailable')));
    await scene.pass(HOUR);
    expect(payment.view()).toMatchObject({ state: 'retrying', attention: [{ code: 'parked' }] });
    await payment.lookUpNow();
    await expect(payment.retry('r-2')).rejects.toMatchObject({ type: 'payment_not_failed' });
    const word = { key: 'k', code: 'parked', reason: 'asked them', by: 'ops', decision: 'close' } as const;
    await payment.resolve(word);
    expect(payment.view()).toMatchObject({ state: 'unresolved', attention: [] });
    expect([sendings(), outcomes(scene)]).toEqual([1, ['failed 1', 'unresolved 1']]);
  });

  test('leaves the payment failed if the provider refuses it and cannot be repeated before Retry-After', async () => {
    const { payment } = await retried(rejected('ZPPRY03', HOUR));
    expect(payment.view()).toMatchObject({
      state: 'failed',
      failure: { code: 'AM04', retryable: true },
      attempts: [{ n: 1 }, { n: 2, state: 'failed', isUnsent: true, failure: { code: 'ZPPRY03' } }],
    });
    expect(payment.isOver()).toBe(true);
    await expect(payment.retry('r-2')).rejects.toMatchObject({ type: 'retry_too_soon' });
  });

  test('is not ended by a late event of the failure that a look-up had shown', async () => {
    const scene = inVirtualTime({
      submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created')),
      watchPayment: ({ uid, snapshotState }) =>
        snapshotState === 'created' ? Promise.resolve(shownFailed(uid)) : unanswered<never>().answer,
      retryPayment: accepted,
    });
    const shownFailed = (uid: string) => {
      const { snapshot, ...rest } = fetchedPayment(uid, 'failed');
      return { ...rest, snapshot: { ...snapshot, failure: { code: 'AM04', retryable: true } } };
    };
    const first = await scene.payment();
    await scene.pass(5000);
    const carried = requestRetry(first.carried(), { key: 'r-1', by: 'key-1' }, scene.now());
    const payment = await scene.payment({ uid: first.uid, carried });
    await payment.receive(
      aFact('failed', { publishedAt: new Date(Date.parse(scene.now()) + HOUR).toISOString() }),
    );
    expect(payment.view()).toMatchObject({ state: 'retrying', submissions: 2 });
  });
});
