import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { newPayment } from '../../../workflows/payment/state.js';
import { published } from '../../../workflows/payment/view.js';
import { aFact } from '../../support/facts.js';
import { anOrder, failure, fetchedPayment, nothingNew } from '../../support/workflows/provider.js';
import { DAY, HOUR, SECOND, inVirtualTime } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';
import type { PaymentInput } from '../../../workflows/payment/contract.js';

const begin = async (given: Partial<Activities> = {}, input: Partial<Omit<PaymentInput, 'carried'>> = {}) => {
  const scene = inVirtualTime({
    submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created')),
    ...given,
  });
  return { scene, payment: await scene.payment(input) };
};

describe('payment', () => {
  test('fails without the option of a retry if the provider refuses it', async () => {
    const { payment } = await begin({
      submitPayment: () => Promise.reject(failure('rejected', ['ZPPAY01'], 'limit', 'Try again tomorrow.')),
      findPayment: () => Promise.resolve(null),
    });
    expect(payment.isOver()).toBe(true);
    expect(payment.view()).toMatchObject({
      state: 'failed',
      failure: { code: 'ZPPAY01', retryable: false, next: 'Try again tomorrow.' },
      submissions: 1,
    });
    expect(published(payment.carried()).details).toContain('- ZPPAY01. Try again tomorrow.');
  });

  test('is ours if the provider has it, although it refused the first submission for a limit', async () => {
    const { payment, scene } = await begin({
      submitPayment: () => Promise.reject(failure('rejected', ['ZPPAY17'], 'terms_forbid')),
      findPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'settled', anOrder('agr-1'))),
    });
    expect(payment.view()).toMatchObject({ state: 'settled', submissions: 1 });
    expect(scene.calls).toEqual(['submitPayment', 'findPayment']);
  });

  test('is not looked up if the request itself is at fault', async () => {
    const { payment, scene } = await begin({
      submitPayment: () => Promise.reject(failure('rejected', ['ZPPAY02'], 'invalid_request')),
    });
    expect(payment.view().state).toBe('failed');
    expect(scene.calls).toEqual(['submitPayment']);
  });

  test('does not start a poll if a webhook reports the settlement within seconds', async () => {
    const { payment, scene } = await begin();
    await scene.pass(2 * SECOND);
    await payment.receive(aFact('settled'));
    expect(payment.isOver()).toBe(true);
    expect(scene.calls).not.toContain('watchPayment');
  });

  test('is not settled by an unauthenticated event', async () => {
    const { payment, scene } = await begin({
      lookUpPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created')),
    });
    await payment.receive(aFact('settled', { authenticated: false }));
    await scene.pass(DAY);
    expect(scene.calls).toContain('lookUpPayment');
    expect(payment.view()).toMatchObject({ state: 'created', awaiting: { what: 'settlement' } });
  });
});

describe('adopted payment', () => {
  const adoptPayment: Activities['adoptPayment'] = ({ uid }) =>
    Promise.resolve({
      owner: 'acme',
      ...fetchedPayment(uid, 'settled', { agreement_uid: 'agr-9', amount: 70 }),
    });

  test("takes the state and order at the provider instead of the event's state", async () => {
    const scene = inVirtualTime({ adoptPayment });
    const payment = await scene.payment({ order: undefined, connectionId: undefined });
    await payment.receive(aFact('failed'));
    expect(payment.isOver()).toBe(true);
    expect(payment.view()).toMatchObject({
      state: 'settled',
      submissions: 0,
      connectionId: 'acme',
      order: { agreement_uid: 'agr-9', amount: 70 },
    });
  });

  test('ends unknown with a flag if no connection finds it within a day', async () => {
    const { payment, scene } = await begin(
      { adoptPayment: () => Promise.reject(nothingNew('10h')) },
      { order: undefined },
    );
    await scene.pass(DAY - SECOND);
    expect(payment.isOver()).toBe(false);
    await scene.pass(SECOND);
    expect(payment.isOver()).toBe(true);
    expect(payment.view()).toMatchObject({ state: 'unknown', attention: [{ code: 'orphan' }] });
  });

  const unfound = (type: string, nextRetryDelay: '13h' | '1h' = '13h') =>
    ApplicationFailure.create({
      type,
      nextRetryDelay,
      details: [{ providerCodes: [], unasked: { count: 12, named: ['acme', 'beta'] } }],
    });
  const NAMELESS = { order: undefined, connectionId: undefined };

  test('is flagged after a day and polled less often if some connections could not be searched', async () => {
    const ladders: unknown[] = [];
    const { payment, scene } = await begin(
      {
        adoptPayment: (args) => {
          ladders.push(args.pollIntervals);
          return ladders.length > 4 ? adoptPayment(args) : Promise.reject(unfound('not_everyone_asked'));
        },
      },
      NAMELESS,
    );
    await scene.pass(DAY + 12 * HOUR);
    const flag = { code: 'orphan', detail: expect.stringContaining('acme, beta and 10 more') as string };
    expect(payment.view()).toMatchObject({ attention: [flag], awaiting: { what: 'look-up' } });
    await scene.pass(3 * DAY);
    expect(ladders).toEqual([...two('adoption'), ...two('late_adoption'), 'late_adoption']);
    expect(payment.view()).toMatchObject({ state: 'settled', attention: [] });
  });

  test('stops polling after a day until a connection without consent is authorised', async () => {
    let isAllowed = false;
    const scene = inVirtualTime({
      adoptPayment: (args) =>
        isAllowed ? adoptPayment(args) : Promise.reject(unfound('consents_missing', '1h')),
    });
    const payment = await scene.payment(NAMELESS);
    await scene.pass(DAY);
    const { length } = scene.calls;
    await scene.pass(30 * DAY);
    expect(scene.calls).toHaveLength(length);
    const flag = { code: 'needs_reauthorisation', detail: expect.stringContaining('acme, beta') as string };
    expect(payment.view()).toMatchObject({ attention: [flag], awaiting: { what: 'reauthorisation' } });
    isAllowed = true;
    await payment.restored();
    expect(payment.view()).toMatchObject({ state: 'settled', attention: [] });
  });
});

const two = <T>(one: T): T[] => [one, one];

describe('payment after the end of its Sydney day', () => {
  const TO_MIDNIGHT = 13 * HOUR;

  test('lapses unsent at midnight if consent is missing', async () => {
    const { payment, scene } = await begin({
      submitPayment: () => Promise.reject(failure('needs_reauthorisation')),
    });
    await scene.pass(TO_MIDNIGHT - SECOND);
    expect(payment.view()).toMatchObject({ state: 'requested', awaiting: { what: 'reauthorisation' } });
    await scene.pass(2 * SECOND);
    expect(payment.isOver()).toBe(true);
    expect(payment.view()).toMatchObject({ state: 'lapsed', failure: { code: 'lapsed' }, submissions: 0 });
    expect(scene.calls).toEqual(['submitPayment']);
  });

  test('lapses unsent if the day ended before its workflow started', async () => {
    const scene = inVirtualTime({});
    const before = newPayment(
      { uid: 'pay-1', connectionId: 'acme', order: anOrder('agr-1') },
      '2026-10-30T00:00:00.000Z',
    );
    const payment = await scene.payment({ uid: 'pay-1', carried: before });
    expect(payment.view()).toMatchObject({ state: 'lapsed', submissions: 0 });
  });

  test('is looked up and parked instead of sent again if its outcome is unknown', async () => {
    const { payment, scene } = await begin({
      submitPayment: () => Promise.reject(failure('unavailable')),
      findPayment: () =>
        Date.parse(scene.now()) < AFTER_MIDNIGHT_MS
          ? Promise.reject(ApplicationFailure.retryable('not now', 'unavailable'))
          : Promise.resolve(null),
    });
    const AFTER_MIDNIGHT_MS = Date.parse(scene.now()) + TO_MIDNIGHT;
    await scene.pass(DAY);
    expect(payment.view()).toMatchObject({
      state: 'requested',
      attention: [{ code: 'parked' }],
      submissions: 1,
    });
    await payment.receive(aFact('settled'));
    expect(payment.view()).toMatchObject({ state: 'settled', submissions: 1 });
  });
});
