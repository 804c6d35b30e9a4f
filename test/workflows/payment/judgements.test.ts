import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { bytesOf } from '../../../domain/facts/retention.js';
import { applyJudgement } from '../../../workflows/payment/judgements.js';
import { stateToCarry, newPayment } from '../../../workflows/payment/state.js';
import { aFact } from '../../support/facts.js';
import { NOW, LARGEST_ORDER, providers } from '../../support/workflows/agreement-states.js';
import {
  A_MANDATE,
  anOrder,
  failure,
  fetchedAgreement,
  fetchedPayment,
} from '../../support/workflows/provider.js';
import { HOUR, SECOND, inVirtualTime } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';
import type { Judgement } from '../../../domain/terms/judgement.js';
import type { PaymentInput } from '../../../workflows/payment/contract.js';

const UID = 'agr-1';
const TERMS = { type: 'variable', frequency: 'adhoc', max_amount: 25_000 };
const judgedAt = (at: string, max_amount = 25_000) => ({
  at,
  state: 'active',
  terms: { ...TERMS, max_amount },
});
const later = ApplicationFailure.create({
  type: 'queued',
  details: [{ providerCodes: [], retryAfterMs: 7000 }],
});

async function admitted(...outcomes: readonly (Error | 'taken')[]) {
  let maxAmount = 25_000;
  const agreement = (uid: string, state: string) => {
    const { snapshot, ...rest } = fetchedAgreement(uid, state);
    const payment_terms = { ...A_MANDATE.payment_terms, max_amount: maxAmount };
    return Promise.resolve({ ...rest, snapshot: { ...snapshot, mandate: { ...A_MANDATE, payment_terms } } });
  };
  const left = [...outcomes];
  const submitPayment: Activities['submitPayment'] = ({ uid }) => {
    const outcome = left.shift() ?? 'taken';
    return outcome === 'taken' ? Promise.resolve(fetchedPayment(uid, 'created')) : Promise.reject(outcome);
  };
  const scene = inVirtualTime({
    createAgreement: ({ uid }) => agreement(uid, 'created'),
    lookUpAgreement: ({ uid }) => agreement(uid, 'active'),
    submitPayment,
    findPayment: () => Promise.resolve(null),
    lookUpPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'failed')),
    retryPayment: () => Promise.resolve('accepted'),
  });
  const agr = await scene.agreement({ uid: UID });
  await agr.receive(aFact('activated', { publishedAt: scene.now() }));
  await scene.pass(HOUR);
  const at = scene.now();
  const handling = { retry: { attempts: 1, everySeconds: 60 } };
  await agr.pay({ uid: 'pay-1', order: anOrder(UID), handling });
  const input = scene.begun.get('payment/pay-1') as Omit<PaymentInput, 'carried'>;
  const payment = await scene.payment(input);
  const amend = async (to: number) => {
    maxAmount = to;
    await agr.receive(aFact('amended', { publishedAt: scene.now() }));
  };
  return { scene, payment, at, amend };
}

test('a payment records its admission and each retry with the terms that allowed them', async () => {
  const { scene, payment, at, amend } = await admitted('taken');
  const admission = { ...judgedAt(at), attempt: 1, submission: 1 };
  expect(payment.view()).toMatchObject({ submissions: 1, judgements: [admission] });
  await scene.pass(SECOND);
  const detail = { failure: { code: 'AM04', retryable: true } };
  await payment.receive(aFact('failed', { publishedAt: scene.now(), receivedAt: scene.now(), detail }));
  await amend(9_000);
  await scene.pass(61 * SECOND);
  await payment.growLong();
  const again = { attempt: 2, submission: 2, terms: { max_amount: 9_000 } };
  expect(payment.view()).toMatchObject({ submissions: 2, judgements: [admission, again] });
  expect(payment.view().attempts).toHaveLength(2);
});

test('a new judgement replaces the admission if nothing was sent before', async () => {
  const { scene, payment, at, amend } = await admitted(later, 'taken');
  await amend(9_000);
  await scene.pass(8 * SECOND);
  const { submissions, judgements = [] } = payment.view();
  expect([submissions, judgements.length]).toEqual([1, 1]);
  expect(judgements).toMatchObject([{ submission: 1, state: 'active', terms: { max_amount: 9_000 } }]);
  expect(judgements[0]?.at.localeCompare(at)).toBe(1);
});

test('each submission keeps its own judgement if the provider never had the first one', async () => {
  const { scene, payment, at, amend } = await admitted(failure('unavailable'), 'taken');
  await amend(9_000);
  await scene.pass(HOUR);
  expect(payment.view()).toMatchObject({
    submissions: 2,
    judgements: [
      { ...judgedAt(at), submission: 1 },
      { submission: 2, attempt: 1, terms: { max_amount: 9_000 } },
    ],
  });
});

test('a payment stores at most twenty judgements of bounded size', () => {
  const word = providers(256);
  const terms = { type: word, frequency: word, validity_start_date: word, validity_end_date: word };
  const judgement: Judgement = { at: NOW, state: 'active', terms };
  const begun = newPayment({ uid: 'p', connectionId: 'c', order: LARGEST_ORDER, judged: judgement }, NOW);
  const sentOften = Array.from({ length: 50 }, (_, count) => count).reduce(
    (state, count) => applyJudgement({ ...state, submission: { ...state.submission, count } }, judgement),
    begun,
  );
  const { judgements } = stateToCarry(sentOften);
  expect(judgements?.map(({ submission }) => submission)).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 31),
  );
  expect(bytesOf(judgements)).toBeLessThan(64 * 1024);
});
