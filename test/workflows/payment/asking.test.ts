import { describe, expect, test } from 'vitest';
import { permissionFor } from '../../../workflows/agreement/payments.js';
import { published } from '../../../workflows/payment/view.js';
import { requestRetry } from '../../../workflows/payment/retry.js';
import { aFact } from '../../support/facts.js';
import { ApplicationFailure } from '@temporalio/common';
import { anOrder, failure, fetchedAgreement, fetchedPayment } from '../../support/workflows/provider.js';
import { HOUR, SECOND, inVirtualTime, unanswered } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';

const UID = 'agr-1';
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
const countOf = (calls: readonly string[], name: string): number =>
  calls.filter((call) => call === name).length;

describe('retry after a wait', () => {
  const failed = async (given: Partial<Activities> = {}) => {
    const met = await under({
      submitPayment: answering('taken'),
      lookUpPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'failed')),
      ...given,
    });
    const { scene, payment } = met;
    const detail = { failure: { code: 'AM04', retryable: true } };
    await payment.receive(aFact('failed', { publishedAt: scene.now(), receivedAt: scene.now(), detail }));
    const request = { key: 'r-1', by: 'key-1' };
    const retried = () =>
      scene.payment({
        uid: payment.uid,
        carried: requestRetry(payment.carried(), request, scene.now()),
      });
    return { ...met, retried };
  };
  const UNSENT = { state: 'failed', submissions: 1 };

  test('is not sent if its agreement has ended since', async () => {
    const { scene, agr, retried } = await failed({
      lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'cancelled')),
    });
    await agr.receive(aFact('cancelled', { publishedAt: scene.now() }));
    await scene.pass(HOUR);
    const payment = await retried();
    await scene.pass(HOUR);
    expect(payment.view()).toMatchObject(UNSENT);
    expect(payment.view().attempts.at(-1)).toMatchObject({
      n: 2,
      isUnsent: true,
      failure: { code: 'agreement_final' },
    });
  });

  test('lapses unsent at the end of its Sydney day if consent is missing', async () => {
    const { scene, retried } = await failed({ retryPayment: () => Promise.reject(failure('forbidden')) });
    const payment = await retried();
    expect(payment.view()).toMatchObject({
      submitBefore: '2026-11-01T12:59:59.999Z',
      awaiting: { what: 'reauthorisation', until: '2026-11-01T12:59:59.999Z' },
    });
    await scene.pass(13 * HOUR);
    expect(payment.view()).toMatchObject(UNSENT);
    await payment.restored();
    await scene.pass(21 * 24 * HOUR);
    expect(payment.view().attempts.at(-1)).toMatchObject({ isUnsent: true, failure: { code: 'lapsed' } });
    expect(countOf(scene.calls, 'retryPayment')).toBe(1);
  });
});

describe('permission of the agreement after a wait', () => {
  test('a payment delayed by the rate limit is sent once its agreement allows it', async () => {
    const { scene, payment } = await under({ submitPayment: answering(later(), 'taken') });
    expect(scene.calls).not.toContain('askAgreement');
    await scene.pass(8 * SECOND);
    expect(countOf(scene.calls, 'askAgreement')).toBe(1);
    expect(payment.view()).toMatchObject({ state: 'created', submissions: 1 });
    expect(payment.view().judgements).toHaveLength(1);
  });

  test('a late payment is not sent if its agreement has been suspended', async () => {
    const { scene, agr, payment } = await under({
      submitPayment: answering(ApplicationFailure.create({ type: 'late' }), 'taken'),
    });
    await agr.receive(aFact('suspended', { publishedAt: scene.now() }));
    await scene.pass(2 * SECOND);
    expect(payment.view()).toMatchObject({
      state: 'failed',
      failure: { code: 'agreement_not_active' },
      submissions: 0,
    });
  });

  test('a payment waits while the state of its agreement is in doubt', async () => {
    const snapshot = unanswered<Awaited<ReturnType<Activities['lookUpAgreement']>>>();
    const { scene, agr, payment } = await under({
      submitPayment: answering(later(), 'taken'),
      lookUpAgreement: () => snapshot.answer,
    });
    await agr.receive(aFact('suspended', { authenticated: false, publishedAt: scene.now() }));
    await scene.pass(HOUR);
    expect(payment.view()).toMatchObject({ state: 'requested', awaiting: { what: 'agreement' } });
    expect(published(payment.state()).details).toContain('Waiting for the agreement');
    snapshot.open(fetchedAgreement(UID, 'active'));
    await scene.settle();
    await scene.pass(3 * HOUR);
    expect(payment.view()).toMatchObject({ state: 'created', submissions: 1 });
  });

  test('a payment lapses if its agreement never answers', async () => {
    const { scene, payment } = await under({
      submitPayment: answering(later(), 'taken'),
      askAgreement: () => unanswered<never>().answer,
    });
    await scene.pass(24 * HOUR);
    expect(payment.view()).toMatchObject({ state: 'lapsed', submissions: 0 });
  });

  test('a payment that waited for consent is not sent if its agreement has ended', async () => {
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
    expect(countOf(scene.calls, 'submitPayment')).toBe(1);
  });

  test('a sent payment that is never found is parked, not resent, if its agreement is suspended', async () => {
    const { scene, agr, payment } = await under({ submitPayment: answering(failure('unavailable')) });
    await agr.receive(aFact('suspended', { publishedAt: scene.now() }));
    await scene.pass(HOUR);
    expect(payment.view()).toMatchObject({ attention: [{ code: 'parked' }], submissions: 1 });
    expect(countOf(scene.calls, 'submitPayment')).toBe(1);
  });

  test('a payment asks again after continue-as-new', async () => {
    const { scene, payment } = await under({ submitPayment: answering(later(), 'taken') });
    await payment.growLong();
    await scene.pass(8 * SECOND);
    expect(payment.runs()).toBe(2);
    expect(payment.view()).toMatchObject({ state: 'created', submissions: 1 });
  });
});

describe('answer of the agreement', () => {
  const ask = (at: string) => ({ uid: 'pay-1', order: anOrder(UID), at, isRetry: false });

  test.each([
    ['allows the payment if active', 'activated', true, { judged: { state: 'active' } }],
    ['refuses the payment if suspended', 'suspended', true, { refusal: { code: 'agreement_not_active' } }],
    ['gives no answer while its state is in doubt', 'suspended', false, null],
  ] as const)('%s', async (_what, type, authenticated, answer) => {
    const { scene, agr } = await under({
      submitPayment: answering('taken'),
      lookUpAgreement: () => unanswered<never>().answer,
    });
    await agr.receive(aFact(type, { authenticated, publishedAt: scene.now() }));
    const answered = permissionFor(agr.state(), ask(scene.now()));
    if (answer === null) expect(answered).toBeNull();
    else expect(answered).toMatchObject(answer);
  });
});
