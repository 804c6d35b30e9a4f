import { expect, test } from 'vitest';
import { isOfOthers, isStopped, recordResumption, recordStop } from '../../../domain/payment/stop.js';
import type { StopRecord, StopRequest } from '../../../domain/payment/stop.js';

const NOW = '2026-11-01T00:00:00.000Z';
const LATER = '2026-11-02T00:00:00.000Z';
const ACME: StopRequest = { connectionId: 'acme', reason: 'looks wrong', by: 'key-1' };
const ALL: StopRequest = { reason: 'a bad release', by: 'key-2' };
const NONE: StopRecord = { stops: [], resumptions: [] };

const stopped = (...requests: StopRequest[]): StopRecord =>
  requests.reduce((record, request) => recordStop(record, request, NOW), NONE);

test('a duplicate stop by the same principal for the same reason changes nothing', () => {
  const once = stopped(ACME);
  expect(recordStop(once, ACME, LATER)).toBe(once);
});

test.each([
  ['principals', { ...ACME, by: 'key-2' }],
  ['reasons', { ...ACME, reason: 'the merchant is in doubt' }],
])('stops with different %s for one connection are recorded separately', (_of, second) => {
  expect(stopped(ACME, second).stops).toEqual([ACME, second].map((one) => ({ ...one, since: NOW })));
});

test('payments stay stopped until the last stop of the connection ends', () => {
  const both = stopped(ACME, { ...ACME, by: 'key-2' });
  const one = recordResumption(both, { ...ACME, by: 'key-2' }, LATER);
  expect([one.stops, isStopped(one.stops, 'acme')]).toEqual([[{ ...ACME, since: NOW }], true]);
  expect(isStopped(recordResumption(one, ACME, LATER).stops, 'acme')).toBe(false);
});

test('a stop belongs to who made it: only a second approver ends another’s', () => {
  const others = stopped(ACME, { ...ACME, by: 'key-2' });
  const request = { ...ACME, by: 'ops' };
  expect(recordResumption(others, request, LATER)).toBe(others);
  expect(isOfOthers(others, request)).toBe(true);
  expect(isOfOthers(others, { ...request, approvedBy: 'ops' })).toBe(true);
  expect(isOfOthers(others, { ...ACME, stoppedBy: 'key-2' })).toBe(true);
  expect(isOfOthers(others, ACME)).toBe(false);
  expect(isOfOthers(NONE, request)).toBe(false);
  const approved = { ...request, approvedBy: 'risk' };
  expect(recordResumption(others, { ...approved, stoppedBy: 'key-2' }, LATER).stops).toHaveLength(1);
  expect(recordResumption(others, approved, LATER)).toMatchObject({
    ...{ stops: [], resumptions: [{ by: 'ops', approvedBy: 'risk' }] },
  });
});

test('a connection’s stop and the global stop end separately', () => {
  const both = stopped(ACME, ALL);
  expect(recordResumption(both, ALL, LATER).stops).toEqual([{ ...ACME, since: NOW }]);
  expect(recordResumption(both, ACME, LATER).stops).toEqual([{ ...ALL, since: NOW }]);
});

test('a resumption that ends no stop is not recorded', () => {
  const acme = stopped(ACME);
  expect(recordResumption(acme, ALL, LATER)).toBe(acme);
  expect(recordResumption(acme, { ...ACME, stoppedBy: 'key-9' }, LATER)).toBe(acme);
});

test('the record keeps at most twenty stops per principal and twenty resumptions', () => {
  const reasons = Array.from({ length: 25 }, (_, index) => `case ${index}`);
  expect(stopped(...reasons.map((reason) => ({ ...ACME, reason }))).stops).toHaveLength(20);
  const resumed = reasons.reduce(
    (record, reason) => recordResumption(recordStop(record, ALL, NOW), { ...ALL, reason }, LATER),
    NONE,
  );
  expect([resumed.resumptions.length, resumed.resumptions.at(-1)?.reason]).toEqual([20, 'case 24']);
});
