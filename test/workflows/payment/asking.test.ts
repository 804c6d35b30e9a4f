import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { published } from '../../../workflows/payment/view.js';
import { aFact } from '../../support/facts.js';
import { requestRetryIfAllowed } from '../../../workflows/payment/retry.js';
import {
  anOrder,
  failure,
  fetchedAgreement,
  fetchedPayment,
  nothingNew,
} from '../../support/workflows/provider.js';
import { HOUR, SECOND, inVirtualTime, unanswered } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';

const UID = 'agr-1';
const AGREEMENT = `agreement/${UID}`;
const later = () =>
  ApplicationFailure.create({ type: 'queued', details: [{ providerCodes: [], retryAfterMs: 7000 }] });

const answering = (...outcomes: readonly ('taken' | Error)[]): Activities['submitPayment'] => {
  let attempts = 0;
  return ({ uid }) => {
    const outcome = outcomes[attempts] ?? outcomes.at(-1);
    attempts += 1;
    return outcome instanceof Error
      ? Promise.reject(outcome)
      : Promise.resolve(fetchedPayment(uid, 'created'));
  };
};

async function under(given: Partial<Activities>) {
  const scene = inVirtualTime({
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
    findPayment: () => Promise.resolve(null),
    ...given,
  });
  const agr = await scene.agreement({ uid: UID });
  await agr.receive(aFact('activated', { publishedAt: scene.now() }));
  await scene.pass(HOUR);
  const payment = await scene.payment({ order: anOrder(UID) });
  return { scene, agr, payment };
}
const sendings = (calls: readonly string[]): number =>
  calls.filter((call) => call === 'submitPayment').length;

test('a retry asks first, and is not sent where its agreement is over by then', async () => {
  let state = 'active';
  const { scene, agr, payment } = await under({
    submitPayment: answering('taken'),
    lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, state)),
    lookUpPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'failed')),
    watchPayment: () => Promise.reject(nothingNew(HOUR)),
    retryPayment: () => Promise.reject(new Error('expected no retry')),
  });
  const detail = { failure: { code: 'AM04', retryable: true } };
  await payment.receive(aFact('failed', { publishedAt: scene.now(), receivedAt: scene.now(), detail }));
  state = 'cancelled';
  await agr.receive(aFact('cancelled', { publishedAt: scene.now() }));
  await scene.pass(HOUR);
  const retried = await scene.payment({
    uid: payment.uid,
    carried: requestRetryIfAllowed(payment.carried(), { key: 'r-1', by: 'key-1' }, scene.now()),
  });
  await scene.pass(HOUR);
  expect(retried.view()).toMatchObject({ state: 'failed', submissions: 1 });
  expect(retried.view().attempts.at(-1)).toMatchObject({
    n: 2,
    isUnsent: true,
    failure: { code: 'agreement_final' },
  });
});

describe('after a wait', () => {
  test('for its turn it asks, and is sent once its agreement allows it', async () => {
    const { scene, payment } = await under({ submitPayment: answering(later(), 'taken') });
    expect(scene.signalled).toEqual([]);
    await scene.pass(8 * SECOND);
    expect(scene.signalled).toEqual([AGREEMENT, `payment/${payment.uid}`]);
    expect(payment.view()).toMatchObject({ state: 'created', submissions: 1 });
  });

  test('it waits for the answer of an agreement that is not certain how it stands', async () => {
    const snapshot = unanswered<Awaited<ReturnType<Activities['lookUpAgreement']>>>();
    const { scene, agr, payment } = await under({
      submitPayment: answering(later(), 'taken'),
      lookUpAgreement: () => snapshot.answer,
    });
    await agr.receive(aFact('suspended', { authenticated: false, publishedAt: scene.now() }));
    await scene.pass(HOUR);
    expect(payment.view()).toMatchObject({ state: 'requested', awaiting: { what: 'agreement' } });
    expect(published(payment.state()).details).toContain('Waiting for its agreement');
    snapshot.open(fetchedAgreement(UID, 'active'));
    await scene.settle();
    await scene.pass(3 * HOUR);
    expect(payment.view()).toMatchObject({ state: 'created', submissions: 1 });
  });

  test('an answer that never comes has it lapse', async () => {
    const { scene, agr, payment } = await under({
      submitPayment: answering(later(), 'taken'),
      lookUpAgreement: () => unanswered<never>().answer,
    });
    await agr.receive(aFact('suspended', { authenticated: false, publishedAt: scene.now() }));
    await scene.pass(24 * HOUR);
    expect(payment.view()).toMatchObject({ state: 'lapsed', submissions: 0 });
  });

  test('for consent it is not sent where its agreement has been over for long', async () => {
    const { scene, agr, payment } = await under({ submitPayment: answering(failure('forbidden'), 'taken') });
    await scene.pass(HOUR);
    await agr.receive(aFact('cancelled', { publishedAt: scene.now() }));
    await scene.pass(HOUR);
    expect(agr.isOver()).toBe(true);
    await payment.restored();
    expect(payment.view()).toMatchObject({
      state: 'failed',
      failure: { code: 'agreement_final' },
      submissions: 0,
    });
    expect(sendings(scene.calls)).toBe(1);
  });

  test('in which it was never found it is not sent again, and parked', async () => {
    const { scene, agr, payment } = await under({ submitPayment: answering(failure('unavailable')) });
    await agr.receive(aFact('suspended', { publishedAt: scene.now() }));
    await scene.pass(HOUR);
    expect(payment.view()).toMatchObject({ attention: [{ code: 'parked' }], submissions: 1 });
    expect(sendings(scene.calls)).toBe(1);
  });

  test('one that grows long while it asks has been told, or asks anew', async () => {
    const { scene, payment } = await under({ submitPayment: answering(later(), 'taken') });
    await payment.growLong();
    await scene.pass(8 * SECOND);
    expect(payment.runs()).toBe(2);
    expect(payment.view()).toMatchObject({ state: 'created', submissions: 1 });
  });
});

describe('an agreement under which no more payments may be taken', () => {
  test('says so to one that has asked, and waits again', async () => {
    const { scene, agr, payment } = await under({
      submitPayment: answering(later(), failure('forbidden'), 'taken'),
    });
    await scene.pass(8 * SECOND);
    expect(payment.view().awaiting.what).toBe('reauthorisation');
    await scene.pass(HOUR);
    await agr.receive(aFact('suspended', { publishedAt: scene.now() }));
    expect(payment.isOver()).toBe(true);
    expect(payment.view()).toMatchObject({ state: 'failed', failure: { code: 'agreement_not_active' } });
    expect(sendings(scene.calls)).toBe(2);
  });

  test('says so to what it has admitted within the last minute, once', async () => {
    const scene = inVirtualTime({
      createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    });
    const agr = await scene.agreement({ uid: UID });
    await agr.receive(aFact('activated', { publishedAt: scene.now() }));
    await agr.pay({ uid: 'old', order: anOrder(UID) });
    await scene.pass(HOUR);
    await agr.pay({ uid: 'new', order: anOrder(UID) });
    await agr.receive(aFact('suspended', { publishedAt: scene.now() }));
    await agr.receive(aFact('cancelled', { publishedAt: scene.now() }));
    expect(scene.signalled).toEqual(['payment/new']);
    expect(agr.isOver()).toBe(true);
  });
});
