// Nothing is sent while the stop status is unknown or older than five seconds.
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
  ['for one connection', [ACME], ['stopped', 'free']],
  ['for all connections', [ALL], ['stopped', 'stopped']],
  ['for no connection', [], ['free', 'free']],
])('each connection reads its own stop status (stop %s)', async (_of, stops, standings) => {
  const { readStop } = aReader(() => Promise.resolve(stops));
  expect([await readStop('acme'), await readStop('other')]).toEqual(standings);
});

describe('cached stop status', () => {
  test('is used for less than five seconds, also if the clock is set back', async () => {
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

  test('is read once for concurrent callers', async () => {
    const { clock, readStop } = aReader(() => Promise.resolve([ACME]));
    const standings = await Promise.all(Array.from({ length: 100 }, (_, index) => readStop(`c-${index}`)));
    expect([new Set(standings), clock.readings]).toEqual([new Set(['free']), 1]);
  });

  test('is unreadable after a failed read, and read again by the next call', async () => {
    const answers: (() => Promise<Stops>)[] = [
      () => Promise.resolve([]),
      () => Promise.reject(new Error('unavailable')),
      () => Promise.resolve([]),
    ];
    const { clock, readStop } = aReader(
      () => answers.shift()?.() ?? Promise.reject(new Error('expected no further read')),
    );
    expect(await readStop('acme')).toBe('free');
    clock.nowMs += 5000;
    expect(await readStop('acme')).toBe('unreadable');
    expect(await readStop('acme')).toBe('free');
  });

  test('is unreadable if the read takes two seconds', async () => {
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

describe('workflow `stop`', () => {
  const asking = (query: () => Promise<Stops>): Client =>
    ({
      withDeadline: (_deadline: number, ask: () => Promise<Stops>) => ask(),
      workflow: { getHandle: () => ({ query }) },
    }) as unknown as Client;

  test('stops nothing if it was never started', async () => {
    const none = () => Promise.reject(new WorkflowNotFoundError('none', 'stop', undefined));
    expect(await stopsIn(asking(none))()).toEqual([]);
  });

  test('makes the read fail if it cannot be queried', async () => {
    await expect(stopsIn(asking(() => Promise.reject(new Error('no worker'))))()).rejects.toThrow(
      'no worker',
    );
  });
});
