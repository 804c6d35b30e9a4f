import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { aFact } from '../../support/facts.js';
import { failure, fetchedPayment } from '../../support/workflows/provider.js';
import { HOUR, SECOND, inVirtualTime, unanswered } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';
import type { AgreementAnswer } from '../../../domain/terms/judgement.js';
import type { PaymentHandling } from '../../../domain/payment/handling.js';

type Submit = Activities['submitPayment'];
const created: Submit = ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created'));
const failing = (error: Error) => (): ReturnType<Submit> => Promise.reject(error);
const later = () =>
  ApplicationFailure.create({ type: 'queued', details: [{ providerCodes: [], retryAfterMs: 60_000 }] });

const ALLOWED: AgreementAnswer = { judged: { at: '2026-11-01T00:00:00.000Z', state: 'active', terms: {} } };
const ENDED = { code: 'agreement_final', detail: 'its agreement has ended.' };

async function begin(submitPayment: Submit, handling?: PaymentHandling) {
  const scene = inVirtualTime({ submitPayment, findPayment: () => Promise.resolve(null) });
  return { scene, payment: await scene.payment({ handling }) };
}

describe('payment withdrawal', () => {
  test.each([
    ['waits for consent', failing(failure('forbidden'))],
    ['waits for its turn', failing(later())],
  ])('ends the payment unsent with the caller and reason while it %s', async (_what, submit) => {
    const { scene, payment } = await begin(submit);
    await payment.withdraw('ordered twice');
    expect(payment.isOver()).toBe(true);
    expect(payment.view()).toMatchObject({
      state: 'withdrawn',
      submissions: 0,
      failure: { code: 'withdrawn', title: expect.stringContaining('key-1') as string },
    });
    expect(payment.state().facts.at(-1)).toMatchObject({ reason: { narrative: 'ordered twice' } });
    expect(scene.reports).toMatchObject([{ outcome: 'not_sent' }]);
    await payment.withdraw('once more');
    await scene.pass(HOUR);
    expect(scene.calls).toEqual(['submitPayment']);
  });

  test.each([
    ['is in flight', () => unanswered<never>().answer],
    ['may be at the provider', failing(failure('unavailable'))],
    ['is at the provider', created],
  ])('is refused once the payment %s', async (_what, submit) => {
    const { payment } = await begin(submit);
    const before = payment.state();
    await expect(payment.withdraw()).rejects.toMatchObject({ type: 'payment_submitted' });
    expect(payment.state()).toBe(before);
  });

  test('parks a payment that was sent and is missing at the provider', async () => {
    const errors = [failure('unavailable'), failure('forbidden')];
    const { scene, payment } = await begin(() => Promise.reject(errors.shift() ?? new Error('sent again')));
    await scene.pass(HOUR);
    expect(payment.view()).toMatchObject({ awaiting: { what: 'reauthorisation' }, submissions: 1 });
    await payment.withdraw();
    expect(payment.view()).toMatchObject({ state: 'requested', awaiting: { what: 'operator' } });
    await payment.receive(aFact('settled'));
    expect(payment.view()).toMatchObject({ state: 'settled', submissions: 1 });
  });

  test.each([
    ['settled', 'payment_submitted'],
    ['failed', 'payment_final'],
  ])('is refused after the payment has %s, with the code %s', async (type, code) => {
    const { payment } = await begin(created);
    await payment.receive(aFact(type));
    await expect(payment.withdraw()).rejects.toMatchObject({ type: code });
  });
});

test.each([
  ['before midnight', 2 * HOUR],
  ['on a later day', 50 * HOUR],
])('an unsent payment lapses at its deadline %s', async (_when, aheadMs) => {
  const scene = inVirtualTime({ submitPayment: failing(failure('forbidden')) });
  const submitBefore = new Date(Date.parse(scene.now()) + aheadMs).toISOString();
  const payment = await scene.payment({ handling: { submitBefore } });
  await scene.pass(aheadMs - SECOND);
  expect(payment.view()).toMatchObject({ state: 'requested', submitBefore });
  await scene.pass(2 * SECOND);
  expect(payment.view()).toMatchObject({ state: 'lapsed', submissions: 0 });
});

describe('payment whose workflow starts long after its admission', () => {
  const late = async (
    hours: number,
    found: 'settled' | null,
    submit: Submit = failing(later()),
    answer: AgreementAnswer = ALLOWED,
  ) => {
    const findPayment: Activities['findPayment'] = ({ uid }) =>
      Promise.resolve(found === null ? null : fetchedPayment(uid, found));
    const askAgreement = () => Promise.resolve(answer);
    const scene = inVirtualTime({ findPayment, submitPayment: submit, askAgreement });
    const at = new Date(Date.parse(scene.now()) - hours * HOUR).toISOString();
    return {
      scene,
      payment: await scene.payment({ requestedAt: at, judged: { at, state: 'active', terms: {} } }),
    };
  };

  test.each([
    ['lapses if the provider does not have it', null, 'lapsed'],
    ['takes the state at the provider', 'settled', 'settled'],
  ] as const)('is looked up after its deadline and %s', async (_what, found, state) => {
    const { scene, payment } = await late(48, found);
    await scene.pass(HOUR);
    expect(payment.view()).toMatchObject({ state, submissions: 0 });
    expect(scene.calls).not.toContain('submitPayment');
  });

  test.each([
    ['ends unsent if the provider does not have it', null, 'failed'],
    ['takes the state at the provider', 'settled', 'settled'],
  ] as const)('is looked up if its agreement refuses it and %s', async (_what, found, state) => {
    const { scene, payment } = await late(1, found, failing(later()), { refusal: ENDED });
    await scene.pass(HOUR);
    expect(payment.view()).toMatchObject({ state, submissions: 0 });
    expect(payment.isOver()).toBe(true);
  });

  test('is sent at once if allowed, because the provider refuses a duplicate uid', async () => {
    const { scene, payment } = await late(1, null, created);
    expect(payment.view()).toMatchObject({ state: 'created', submissions: 1 });
    expect(scene.calls).not.toContain('findPayment');
  });
});
