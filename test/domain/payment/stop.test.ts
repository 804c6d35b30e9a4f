import { expect, test } from 'vitest';
import {
  isOfOthers,
  isStopped,
  applyResumption,
  applyStop,
  type StopRecord,
  type StopRequest,
} from '../../../domain/payment/stop.js';

const NOW = '2026-11-01T00:00:00.000Z';
const LATER = '2026-11-02T00:00:00.000Z';
const ACME: StopRequest = { connectionId: 'acme', reason: 'looks wrong', by: 'key-1' };
const ALL: StopRequest = { reason: 'a bad release', by: 'key-2' };
const NONE: StopRecord = { stops: [], resumptions: [] };

const stopped = (...requests: StopRequest[]): StopRecord =>
  requests.reduce((record, request) => applyStop(record, request, NOW), NONE);

test('a duplicate stop by the same principal for the same reason keeps the first date', () => {
  const once = stopped(ACME);
  expect(applyStop(once, ACME, LATER).stops).toBe(once.stops);
});

test.each([
  ['principals', { ...ACME, by: 'key-2' }],
  ['reasons', { ...ACME, reason: 'the merchant is in doubt' }],
])('stops with different %s for one connection are recorded separately', (_of, second) => {
  expect(stopped(ACME, second).stops).toEqual([ACME, second].map((one) => ({ ...one, since: NOW })));
});

test('payments stay stopped until the last stop of the connection ends', () => {
  const both = stopped(ACME, { ...ACME, by: 'key-2' });
  const one = applyResumption(both, { ...ACME, by: 'key-2' }, LATER);
  expect([one.stops, isStopped(one.stops, 'acme')]).toEqual([[{ ...ACME, since: NOW }], true]);
  expect(isStopped(applyResumption(one, ACME, LATER).stops, 'acme')).toBe(false);
});

test('a stop belongs to who made it: another principal ends it only with the approval of a second one', () => {
  const others = stopped(ACME, { ...ACME, by: 'key-2' });
  const request = { ...ACME, by: 'ops', stoppedBy: 'key-2' };
  expect(applyResumption(others, request, LATER)).toBe(others);
  const approval = { by: 'risk', requestedAt: LATER };
  for (const none of [{}, { approval: { ...approval, by: 'ops' } }])
    expect(isOfOthers(others, { ...request, ...none })).toBe(true);
  expect(isOfOthers(others, { ...ACME, by: 'ops', approval })).toBe(true);
  expect(isOfOthers(others, ACME)).toBe(false);
  expect(isOfOthers(NONE, request)).toBe(false);
  expect(applyResumption(others, { ...request, approval }, LATER)).toMatchObject({
    ...{ stops: [ACME], resumptions: [{ by: 'ops', approval }] },
  });
});

test('an approval covers only the stops that were in force when it was requested', () => {
  const early = stopped(ACME);
  const later = { ...ACME, reason: 'fraud' };
  const both = applyStop(early, later, LATER);
  const approval = { by: 'risk', requestedAt: LATER };
  const request = { ...ACME, by: 'ops', stoppedBy: ACME.by, approval };
  expect(applyResumption(both, request, LATER).stops).toEqual([{ ...later, since: LATER }]);
  const repeated = applyStop(early, ACME, LATER);
  expect(applyResumption(repeated, request, LATER).stops).toEqual(early.stops);
});

test('a connection’s stop and the global stop end separately', () => {
  const both = stopped(ACME, ALL);
  expect(applyResumption(both, ALL, LATER).stops).toEqual([{ ...ACME, since: NOW }]);
  expect(applyResumption(both, ACME, LATER).stops).toEqual([{ ...ALL, since: NOW }]);
});

test('a resumption that ends no stop is not recorded', () => {
  const acme = stopped(ACME);
  expect(applyResumption(acme, ALL, LATER)).toBe(acme);
  expect(applyResumption(acme, { ...ACME, stoppedBy: 'key-9' }, LATER)).toBe(acme);
});

test('the record keeps at most twenty stops per principal and twenty resumptions', () => {
  const reasons = Array.from({ length: 25 }, (_, index) => `case ${index}`);
  expect(stopped(...reasons.map((reason) => ({ ...ACME, reason }))).stops).toHaveLength(20);
  const resumed = reasons.reduce(
    (record, reason) => applyResumption(applyStop(record, ALL, NOW), { ...ALL, reason }, LATER),
    NONE,
  );
  expect([resumed.resumptions.length, resumed.resumptions.at(-1)?.reason]).toEqual([20, 'case 24']);
});
