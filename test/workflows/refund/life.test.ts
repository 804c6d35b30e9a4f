import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { applyFact } from '../../../workflows/refund/state.js';
import { aFact } from '../../support/facts.js';
import { aRefundOrder, failure, fetchedRefund, nothingNew } from '../../support/workflows/provider.js';
import { DAY, HOUR, inVirtualTime } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';
import type { RefundReport } from '../../../domain/refund/lifecycle.js';
import type { Decision } from '../../../domain/attention/resolution.js';

const word = (decision: Decision) =>
  ({ key: `key-${decision}`, code: 'parked', reason: 'asked them', by: 'ops', decision }) as const;
const ORDER = aRefundOrder('pay-1');

function aScene(given: Partial<Activities>) {
  const reports: RefundReport[] = [];
  const scene = inVirtualTime({
    submitRefund: ({ uid }) => Promise.resolve(fetchedRefund(uid, 'created', ORDER)),
    reportRefund: ({ report }) => Promise.resolve(void reports.push(report)),
    ...given,
  });
  const outcomes = () => reports.map(({ outcome }) => outcome);
  const count = (name: string) => scene.calls.filter((call) => call === name).length;
  return { ...scene, reports, outcomes, count };
}

describe('refund', () => {
  test.each(['processed', 'failed'] as const)('is watched after submission until it is %s', async (end) => {
    const scene = aScene({});
    const refund = await scene.refund();
    expect(refund.view()).toMatchObject({ state: 'created', awaiting: { what: 'refund' }, submissions: 1 });
    const event = aFact(end);
    await refund.receive(event, event);
    expect(refund.isOver()).toBe(true);
    expect(scene.reports).toEqual([{ uid: refund.uid, amount: 100, outcome: end, at: event.publishedAt }]);
  });

  test('fails with advice if the provider refuses it', async () => {
    const advice = 'Put funds into the float account, then try again.';
    const scene = aScene({
      submitRefund: () => Promise.reject(failure('rejected', ['ZPREF07'], 'insufficient_funds', advice)),
    });
    const refund = await scene.refund();
    expect(refund.view()).toMatchObject({ state: 'failed', failure: { code: 'ZPREF07', next: advice } });
    expect(scene.outcomes()).toEqual(['failed']);
  });

  test('is not sent during a stop until payments resume', async () => {
    const stop = { isInForce: true };
    const scene = aScene({
      submitRefund: ({ uid }) =>
        stop.isInForce
          ? Promise.reject(ApplicationFailure.create({ type: 'stopped', nonRetryable: true }))
          : Promise.resolve(fetchedRefund(uid, 'created', ORDER)),
      awaitResumption: () => (stop.isInForce ? Promise.reject(nothingNew(60_000)) : Promise.resolve()),
    });
    const refund = await scene.refund();
    await scene.pass(2 * DAY);
    expect(refund.view()).toMatchObject({ state: 'requested', submissions: 0, awaiting: { what: 'stop' } });
    expect(scene.count('submitRefund')).toBe(1);
    stop.isInForce = false;
    await scene.pass(HOUR);
    expect(refund.view()).toMatchObject({ state: 'created', submissions: 1 });
  });

  test('reports both outcomes if it is processed after a failure', async () => {
    const scene = aScene({});
    const { uid, receive, carried } = await scene.refund();
    await receive(aFact('failed'));
    const later = await scene.refund({ uid, carried: applyFact(carried(), aFact('processed')) });
    expect([later.isOver(), later.view().state, scene.outcomes()]).toEqual([
      true,
      'processed',
      ['failed', 'processed'],
    ]);
  });

  test('reports the corrected time if its event arrives after the look-up that showed the end', async () => {
    const scene = aScene({
      lookUpRefund: ({ uid }) => Promise.resolve(fetchedRefund(uid, 'processed', ORDER)),
    });
    const { uid, lookUpNow, carried } = await scene.refund();
    await lookUpNow();
    const event = aFact('processed');
    const later = await scene.refund({ uid, carried: applyFact(carried(), event) });
    expect(later.view()).toMatchObject({ state: 'processed', stateSince: event.publishedAt, attention: [] });
    expect(scene.outcomes()).toEqual(['processed', 'processed']);
    expect(scene.reports[1]?.at).toBe(event.publishedAt);
  });

  test('is adopted from a notification and reported to its payment', async () => {
    const scene = aScene({
      adoptRefund: ({ uid }) =>
        Promise.resolve({ owner: 'acme', ...fetchedRefund(uid, 'processed', aRefundOrder('pay-9', 70)) }),
    });
    const refund = await scene.refund({ order: undefined, connectionId: undefined });
    await refund.receive(aFact('processed'));
    expect(refund.view()).toMatchObject({ connectionId: 'acme', order: { original_payment_uid: 'pay-9' } });
    expect(scene.reports).toMatchObject([{ uid: refund.uid, amount: 70, outcome: 'processed' }]);
  });
});

describe('refund submission without an answer', () => {
  const lost = () => Promise.reject(failure('unavailable'));

  test('is adopted and not sent again if the provider has it, also after a duplicate uid error', async () => {
    for (const error of [failure('unavailable'), failure('rejected', ['ZPREF00'], 'duplicate_uid')]) {
      const scene = aScene({
        submitRefund: () => Promise.reject(error),
        findRefund: ({ uid }) => Promise.resolve(fetchedRefund(uid, 'processing', ORDER)),
      });
      const refund = await scene.refund();
      await scene.pass(HOUR);
      expect(refund.view()).toMatchObject({ state: 'processing', submissions: 1, attention: [] });
    }
  });

  test('is sent at most three times if the provider does not have it, then parked', async () => {
    const scene = aScene({ submitRefund: lost, findRefund: () => Promise.resolve(null) });
    const refund = await scene.refund();
    await scene.pass(DAY);
    expect(refund.view()).toMatchObject({ submissions: 3, attention: [{ code: 'parked' }] });
    expect(scene.count('submitRefund')).toBe(3);
    await refund.resolve(word('close'));
    expect([refund.view().state, scene.outcomes()]).toEqual(['unresolved', ['unresolved']]);
  });

  test.each([
    ['close', { state: 'failed', failure: { code: 'closed' } }, ['failed']],
    ['adopt', { state: 'processing', order: { refund_payment: { amount: 1 } } }, []],
  ] as const)('parks a different refund until `%s` decides', async (decision, view, outcomes) => {
    const other = fetchedRefund('ref-x', 'processing', aRefundOrder('pay-other', 1));
    const scene = aScene({
      submitRefund: lost,
      findRefund: () => Promise.resolve(other),
      lookUpRefund: () => Promise.resolve(other),
    });
    const refund = await scene.refund({ uid: 'ref-x' });
    await scene.pass(HOUR);
    expect(refund.view()).toMatchObject({ awaiting: { what: 'operator' }, attention: [{ code: 'parked' }] });
    await refund.resolve(word(decision));
    expect(refund.view()).toMatchObject(view);
    expect(scene.outcomes()).toEqual(outcomes);
  });
});
