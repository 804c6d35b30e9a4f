import { describe, expect, test } from 'vitest';
import { newStop, withLifting, withStop } from '../../../workflows/stop/state.js';
import type { StopRequest } from '../../../domain/payment/stop.js';

const NOW = '2026-11-01T00:00:00.000Z';
const LATER = '2026-11-02T00:00:00.000Z';
const ACME: StopRequest = { connectionId: 'acme', reason: 'looks wrong', by: 'key-1' };
const ALL: StopRequest = { reason: 'a bad release', by: 'key-2' };
const BEGUN = newStop(NOW);

describe('a stop', () => {
  test('repeated is the same state, and the first reason stands', () => {
    const stopped = withStop(BEGUN, ACME, NOW);
    expect(stopped.stops).toEqual([{ ...ACME, since: NOW }]);
    expect(withStop(stopped, { ...ACME, reason: 'else', by: 'key-3' }, LATER)).toBe(stopped);
  });

  test('of all stands beside that of one, and each is lifted by itself', () => {
    const both = withStop(withStop(BEGUN, ACME, NOW), ALL, LATER);
    expect(both.stops).toHaveLength(2);
    expect(withLifting(both, ALL, LATER).stops).toEqual([{ ...ACME, since: NOW }]);
    expect(withLifting(both, ACME, LATER).stops).toEqual([{ ...ALL, since: LATER }]);
  });

  test('lifted twice, or never made, is the same state', () => {
    const lifted = withLifting(withStop(BEGUN, ACME, NOW), ACME, LATER);
    expect(withLifting(lifted, ACME, LATER)).toBe(lifted);
    expect(withLifting(BEGUN, ALL, NOW)).toBe(BEGUN);
  });

  test('leaves its newest twenty liftings', () => {
    let state = BEGUN;
    for (let index = 0; index < 25; index += 1)
      state = withLifting(withStop(state, ALL, NOW), { ...ALL, reason: `case ${index}` }, LATER);
    expect(state.liftings).toHaveLength(20);
    expect(state.liftings.at(-1)?.reason).toBe('case 24');
  });
});
