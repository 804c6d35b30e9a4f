import { expect, test } from 'vitest';
import { newAudit, settledIn, toHandIn, endReport, recordOutcome } from '../../../domain/facts/audit.js';

const STARTED = '2026-01-08T12:00:00.000Z';
const at = (hoursBefore: number) => new Date(Date.parse(STARTED) - hoursBefore * 3_600_000).toISOString();
const ids = (missed: readonly { id: string }[]) => missed.map(({ id }) => id);

test('what the provider may still send again waits for the next audit, and the rest comes oldest first, once', () => {
  const listed = [
    { id: 'refused', state: 'completed', createdAt: at(0.1) },
    { id: 'on its way', state: 'retrying', createdAt: at(1) },
    { id: 'left retrying', state: 'retrying', createdAt: at(3) },
    { id: 'of no time' },
    { id: 'given up', state: 'failed', createdAt: at(30) },
    { id: 'given up', state: 'failed', createdAt: at(30) },
  ];
  const { missed, underWay } = toHandIn(listed, newAudit('acme', STARTED, undefined));
  expect(ids(missed)).toEqual(['of no time', 'given up', 'left retrying', 'refused']);
  expect(underWay).toBe(1);
});

test('what an earlier audit settled is left alone, and what it could not tell is not', () => {
  const first = endReport(newAudit('acme', at(24), undefined), undefined);
  const second = newAudit('acme', STARTED, settledIn(first));
  const listed = [
    { id: 'before', createdAt: at(27) },
    { id: 'under way then', createdAt: at(25) },
    { id: 'of no time' },
  ];
  expect(ids(toHandIn(listed, second).missed)).toEqual(['of no time', 'under way then']);
});

test('what could not be read is tried by the next audit too', () => {
  const report = newAudit('acme', STARTED, at(100));
  expect(settledIn(endReport(report, at(50)))).toBe(at(50));
  expect(settledIn(endReport(report, at(0.5)))).toBe(at(2));
});

test('one that was stopped settles nothing, and what is no report says nothing', () => {
  expect(settledIn({ ...newAudit('acme', STARTED, at(100)), stopped: 'forbidden' })).toBe(at(100));
  expect([undefined, null, 7, {}, { settledUntil: 7 }].map(settledIn)).toEqual(Array(5).fill(undefined));
});

test('the report counts every delivery, and names each of the first hundred once', () => {
  let report = newAudit('acme', STARTED, undefined);
  for (let one = 0; one < 150; one += 1) report = recordOutcome(report, 'handedIn', ['agr-0', `agr-${one}`]);
  expect(report).toMatchObject({ missed: 150, handedIn: 150, gone: 0 });
  expect(report.named.handedIn).toHaveLength(100);
});
