import { describe, expect, test } from 'vitest';
import { AGREEMENT_LIFE } from '../../domain/agreement.js';
import { assertAskable, withAccepted, withAction } from '../../workflows/agreement/commands.js';
import { withPayment } from '../../workflows/agreement/ledger.js';
import { newAgreement, withFact, withLook } from '../../workflows/agreement/state.js';
import { nextStep } from '../../workflows/agreement/next.js';
import { newPayment, nextPaymentStep, withAbsence, withPaymentFact, withSubmission, withUnknownOutcome } from '../../workflows/payment/state.js'; // prettier-ignore
import { compact, foldedOf, unexamined } from '../../workflows/entity/state.js';
import { aFact } from '../domain/facts.js';
import { A_MANDATE, fetchedAgreement, anOrder } from './provider.js';
import type { State } from '../../workflows/agreement/state.js';

const NOW = '2026-11-01T00:00:00.000Z';
const started = newAgreement({ uid: 'agr', connectionId: 'acme', mandate: A_MANDATE }, NOW);
const active: State = withFact(
  withLook(started, fetchedAgreement('agr', 'created')),
  aFact('activated'),
);
const paid = (count: number): State =>
  Array.from({ length: count }, (_, index) => index).reduce(
    (record, index) =>
      withPayment(record, { uid: `p${index}`, amount: 1, requestedAt: NOW, order: anOrder('agr') }),
    active,
  );

describe('what an agreement does next', () => {
  test.each<[string, State, string]>([
    ['is created first', started, 'create'],
    [
      'awaits its payer once the provider has it',
      withLook(started, fetchedAgreement('agr', 'created')),
      'await_payer',
    ],
    ['rests while active', active, 'rest'],
    ['looks up what does not fit', withFact(active, aFact('expired')), 'look_up'],
    ['looks up what it does not know', withFact(active, aFact('unheard of')), 'look_up'],
    ['looks up what an amendment changed', withFact(active, aFact('amended')), 'look_up'],
    ['ends once final', withFact(active, aFact('cancelled')), 'end'],
    [
      'is looked at before an event is believed, when nobody started it here',
      withFact(newAgreement({ uid: 'x' }, NOW), aFact('cancelled')),
      'adopt',
    ],
    [
      'does not end while a look is in doubt',
      { ...withFact(active, aFact('cancelled')), doubts: 1 },
      'look_up',
    ],
  ])('%s', (_name, record, step) => {
    expect(nextStep(record).do).toBe(step);
  });
});

describe('what is carried over the years', () => {
  test('the newest 200 orders whole, of 1000 payments the uid, of older ones the number', () => {
    const { ledger, paymentsOlder } = paid(1005);
    expect(ledger).toHaveLength(1000);
    expect(paymentsOlder).toBe(5);
    expect(ledger.filter(({ order }) => order !== undefined)).toHaveLength(200);
    expect(ledger.at(0)).toMatchObject({ uid: 'p5', amount: 1, order: undefined });
  });

  test('still tells who has paused it, since when and why, and does not let us resume what the payer paused', () => {
    const paused = withFact(active, aFact('suspended', { causedBy: 'debtor', reason: { code: 'holiday' } }));
    const long = Array.from({ length: 201 }, () => aFact('cancellation_failed')).reduce(
      (record, fact) => withFact(record, fact),
      paused,
    );
    const carried = compact(AGREEMENT_LIFE, long);
    expect(carried.facts.some(({ type }) => type === 'suspended')).toBe(false);
    const { state, since, causedBy, reason } = foldedOf(AGREEMENT_LIFE, long);
    expect(foldedOf(AGREEMENT_LIFE, carried)).toMatchObject({ state, since, causedBy, reason });
    expect(foldedOf(AGREEMENT_LIFE, compact(AGREEMENT_LIFE, carried))).toMatchObject({ since, causedBy });
    const resume = { key: 'r', ask: { kind: 'reactivation', body: {} } } as const;
    expect(() => assertAskable(carried, resume)).toThrow(/payer|debtor/);
  });

  test('the newest 200 facts, and what the older ones amounted to', () => {
    const many = Array.from({ length: 300 }, () => aFact('amendment_declined'));
    const record = many.reduce((known, fact) => withFact(known, fact), active);
    const carried = compact(AGREEMENT_LIFE, record);
    expect(carried.facts).toHaveLength(200);
    expect(carried).toMatchObject({ start: 'active', olderCount: record.facts.length - 200 });
    expect(withFact(carried, many[0] ?? aFact('x'))).toBe(carried);
  });

  test('nothing of a history that is older than what is remembered by its id', () => {
    const many = Array.from({ length: 1000 }, () => aFact('amendment_declined'));
    const carried = compact(
      AGREEMENT_LIFE,
      many.reduce((known, fact) => withFact(known, fact), active),
    );
    const history = many.map((fact) => ({ ...fact, source: 'history' as const }));
    const looked = withLook(carried, fetchedAgreement('agr', 'active', history));
    expect(looked.facts).toEqual(carried.facts);
    expect(looked).toMatchObject({ olderCount: carried.olderCount, doubts: 0 });
  });

  test('not what a webhook tells of a time that is forgotten: once for all its repeats, the provider is asked', () => {
    const late = aFact('suspended');
    const many = Array.from({ length: 1000 }, () => aFact('amendment_declined'));
    const carried = compact(
      AGREEMENT_LIFE,
      many.reduce((known, fact) => withFact(known, fact), active),
    );
    const asked = withFact(carried, late);
    expect(asked.facts).toEqual(carried.facts);
    expect(nextStep(asked)).toEqual({ do: 'look_up', doubts: 0 });
    expect(withFact(asked, late)).toBe(asked);
    const looked = withLook(asked, fetchedAgreement('agr', 'active', [{ ...late, source: 'history' }]));
    expect(nextStep(looked).do).toBe('rest');
    expect(
      Array.from({ length: 300 }, () => late).reduce((known, fact) => withFact(known, fact), looked),
    ).toBe(looked);
    expect(compact(AGREEMENT_LIFE, looked)).toEqual(looked);
  });

  test('the outcome of a command, though it is told when its time is forgotten', () => {
    const amending = withAccepted(
      withAction(active, { key: 'a', ask: { kind: 'amendment', body: { changes: {} } } }, NOW),
      'a',
      NOW,
    );
    const outcome = aFact('amendment_declined', { source: 'history', causedBy: 'debtor' });
    const many = Array.from({ length: 1000 }, () => aFact('suspension_failed'));
    const carried = compact(
      AGREEMENT_LIFE,
      many.reduce((known, fact) => withFact(known, fact), amending),
    );
    const looked = withLook(withFact(carried, outcome), fetchedAgreement('agr', 'active', [outcome]));
    expect(looked.actions).toMatchObject([{ stage: 'failed', failure: { code: 'amendment_declined' } }]);
  });

  test('what is believed anew in a run that began before forgotten times were asked about', () => {
    const late = aFact('amendment_declined');
    const many = Array.from({ length: 1000 }, () => aFact('amendment_declined'));
    const carried = compact(
      AGREEMENT_LIFE,
      many.reduce((known, fact) => withFact(known, fact), active),
    );
    expect(withFact(carried, late, () => false).facts).toContainEqual(late);
  });

  test('every fact from the first open question on', () => {
    const open = withFact(active, aFact('unheard of'));
    const record = Array.from({ length: 300 }, () => aFact('amendment_declined')).reduce(
      (known, fact) => withFact(known, fact),
      open,
    );
    expect(unexamined(AGREEMENT_LIFE, compact(AGREEMENT_LIFE, record))).toHaveLength(1);
  });
});

describe('what a payment does next', () => {
  const ready = newPayment({ uid: 'p', connectionId: 'acme', order: anOrder('agr') }, NOW);
  const doubtful = withUnknownOutcome(withSubmission(ready), NOW);

  test('is submitted, and while that is under way nothing else', () => {
    expect(nextPaymentStep(ready).do).toBe('submit');
    expect(nextPaymentStep(withSubmission(ready)).do).toBe('submit');
  });

  test('is asked for when its submission had no answer, and submitted again once absent', () => {
    expect(nextPaymentStep(doubtful).do).toBe('resolve');
    expect(nextPaymentStep(withAbsence(doubtful, NOW))).toEqual({ do: 'submit' });
  });

  test('is not in doubt when the provider had told of it before its answer failed to come', () => {
    const told = withPaymentFact(withSubmission(ready), aFact('pending'));
    expect(withUnknownOutcome(told, NOW)).toMatchObject({ stage: 'open', attention: [] });
  });
});
