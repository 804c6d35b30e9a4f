import { expect, test } from 'vitest';
import { isStopped, recordResumption, recordStop } from '../../../domain/payment/stop.js';
import type { StopRecord, StopRequest } from '../../../domain/payment/stop.js';

const NOW = '2026-11-01T00:00:00.000Z';
const LATER = '2026-11-02T00:00:00.000Z';
const ACME: StopRequest = { connectionId: 'acme', reason: 'looks wrong', by: 'key-1' };
const ALL: StopRequest = { reason: 'a bad release', by: 'key-2' };
const NONE: StopRecord = { stops: [], resumptions: [] };

const stopped = (...requests: StopRequest[]): StopRecord =>
  requests.reduce((record, request) => recordStop(record, request, NOW), NONE);

test('a repeat of the same principal, connection and reason changes nothing', () => {
  const once = stopped(ACME);
  expect(recordStop(once, ACME, LATER)).toBe(once);
});

test.each([
  ['principals', { ...ACME, by: 'key-2' }],
  ['reasons', { ...ACME, reason: 'the merchant is in doubt' }],
])('two %s stop the same connection beside each other', (_of, second) => {
  expect(stopped(ACME, second).stops).toEqual([ACME, second].map((one) => ({ ...one, since: NOW })));
});

test('payments stay stopped while one stop of their connection is left', () => {
  const both = stopped(ACME, { ...ACME, by: 'key-2' });
  const one = recordResumption(both, { ...ACME, by: 'ops', stoppedBy: 'key-2' }, LATER);
  expect([one.stops, isStopped(one.stops, 'acme')]).toEqual([[{ ...ACME, since: NOW }], true]);
  expect(isStopped(recordResumption(both, { ...ACME, by: 'ops' }, LATER).stops, 'acme')).toBe(false);
});

test('the stop of one connection and that of all end separately', () => {
  const both = stopped(ACME, ALL);
  expect(recordResumption(both, ALL, LATER).stops).toEqual([{ ...ACME, since: NOW }]);
  expect(recordResumption(both, ACME, LATER).stops).toEqual([{ ...ALL, since: NOW }]);
});

test('a resumption that ends no stop is not recorded', () => {
  const acme = stopped(ACME);
  expect(recordResumption(acme, ALL, LATER)).toBe(acme);
  expect(recordResumption(acme, { ...ACME, stoppedBy: 'key-9' }, LATER)).toBe(acme);
});

test('the record stays small: twenty reasons of a principal for one connection, twenty resumptions', () => {
  const reasons = Array.from({ length: 25 }, (_, index) => `case ${index}`);
  expect(stopped(...reasons.map((reason) => ({ ...ACME, reason }))).stops).toHaveLength(20);
  const resumed = reasons.reduce(
    (record, reason) => recordResumption(recordStop(record, ALL, NOW), { ...ALL, reason }, LATER),
    NONE,
  );
  expect([resumed.resumptions.length, resumed.resumptions.at(-1)?.reason]).toEqual([20, 'case 24']);
});
