import { expect, test } from 'vitest';
import { bytesOf } from '../../../../domain/facts/retention.js';
import { carry } from '../../../../workflows/contracts/upgrade.js';
import {
  stateToCarry,
  newPayment,
  applyFact,
  type PaymentState,
} from '../../../../workflows/payment/state.js';
import { viewOf } from '../../../../workflows/payment/view.js';
import {
  NOW,
  LARGEST_ORDER,
  floodOf,
  largeFact,
  times,
} from '../../../support/workflows/agreement-states.js';

const KIB = 1024;
const BEGUN = newPayment({ uid: 'p'.repeat(64), connectionId: 'c'.repeat(64), order: LARGEST_ORDER }, NOW);
const endOf = (state: PaymentState): number => bytesOf({ ...viewOf(state), carried: carry(state) });

test('the largest order with twelve large events stays below 64 KiB', () => {
  const state = times(12, (index) => largeFact(index, { type: 'pending' })).reduce(applyFact, BEGUN);
  expect(endOf(stateToCarry(BEGUN))).toBeLessThan(12 * KIB);
  expect(endOf(stateToCarry(state))).toBeLessThan(64 * KIB);
});

test('an endless stream of events keeps a payment below 512 KiB in every run', () => {
  const runs = times(3, (run) => floodOf((run + 1) * 350, 'failed').slice(-350));
  runs.reduce((state, events) => {
    const carried = stateToCarry(events.reduce(applyFact, state));
    expect(endOf(carried)).toBeLessThan(512 * KIB);
    return carried;
  }, BEGUN);
});
