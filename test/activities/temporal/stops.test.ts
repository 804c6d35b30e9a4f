import { WorkflowNotFoundError } from '@temporalio/common';
import { describe, expect, test, vi } from 'vitest';
import { createReadStop, stopsIn } from '../../../activities/temporal/stops.js';
import type { Client } from '@temporalio/client';
import type { Stop } from '../../../domain/payment/stop.js';
import type { Stops } from '../../../workflows/stop/contract.js';

const ACME: Stop = {
  connectionId: 'acme',
  reason: 'looks wrong',
  by: 'key-1',
  since: '2026-11-01T00:00:00.000Z',
};
const ALL: Stop = { ...ACME, connectionId: undefined };

function aReader(read: () => Promise<Stops>) {
  const clock = { nowMs: 1_000_000, readings: 0 };
  const readStop = createReadStop({
    now: () => clock.nowMs,
    read: () => {
      clock.readings += 1;
      return read();
    },
  });
  return { clock, readStop };
}

test.each([
  ['of one connection', [ACME], ['stopped', 'free']],
  ['of all', [ALL], ['stopped', 'stopped']],
  ['of none', [], ['free', 'free']],
])('a stop %s keeps back whose it is', async (_of, stops, standings) => {
  const { readStop } = aReader(() => Promise.resolve(stops));
  expect([await readStop('acme'), await readStop('other')]).toEqual(standings);
});

describe('an answer', () => {
  test('is believed for less than five seconds from when it was asked for, whichever way the clock is set', async () => {
    let stops: Stops = [];
    const { clock, readStop } = aReader(() => {
      clock.nowMs += 2000;
      return Promise.resolve(stops);
    });
    expect(await readStop('acme')).toBe('free');
    stops = [ACME];
    clock.nowMs += 2999;
    expect([await readStop('acme'), clock.readings]).toEqual(['free', 1]);
    clock.nowMs += 1;
    expect([await readStop('acme'), clock.readings]).toEqual(['stopped', 2]);
    stops = [];
    clock.nowMs -= 3_600_000;
    expect([await readStop('acme'), clock.readings]).toEqual(['free', 3]);
  });

  test('is asked for once for all who want it at one time', async () => {
    const { clock, readStop } = aReader(() => Promise.resolve([ACME]));
    const standings = await Promise.all(Array.from({ length: 100 }, (_, index) => readStop(`c-${index}`)));
    expect([new Set(standings), clock.readings]).toEqual([new Set(['free']), 1]);
  });

  test('that fails lets nothing be sent, not even on what was read before, and is asked for anew the next time', async () => {
    const answers: (() => Promise<Stops>)[] = [
      () => Promise.resolve([]),
      () => Promise.reject(new Error('unavailable')),
      () => Promise.resolve([]),
    ];
    const { clock, readStop } = aReader(
      () => answers.shift()?.() ?? Promise.reject(new Error('asked again')),
    );
    expect(await readStop('acme')).toBe('free');
    clock.nowMs += 5000;
    expect(await readStop('acme')).toBe('unreadable');
    expect(await readStop('acme')).toBe('free');
  });

  test('that does not come is not waited for', async () => {
    vi.useFakeTimers();
    try {
      const { readStop } = aReader(() => new Promise<Stops>(() => undefined));
      const standing = readStop('acme');
      await vi.advanceTimersByTimeAsync(2000);
      expect(await standing).toBe('unreadable');
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the run `stop`', () => {
  const asking = (query: () => Promise<Stops>): Client =>
    ({
      withDeadline: (_deadline: number, ask: () => Promise<Stops>) => ask(),
      workflow: { getHandle: () => ({ query }) },
    }) as unknown as Client;

  test('that was never begun stops nothing', async () => {
    const none = () => Promise.reject(new WorkflowNotFoundError('none', 'stop', undefined));
    expect(await stopsIn(asking(none))()).toEqual([]);
  });

  test('that cannot be asked is no answer', async () => {
    await expect(stopsIn(asking(() => Promise.reject(new Error('no worker'))))()).rejects.toThrow(
      'no worker',
    );
  });
});
