import { expect, test } from 'vitest';
import { newAudit, settledIn, toHandIn, endReport, recordOutcome } from '../../../domain/facts/audit.js';

const STARTED = '2026-01-08T12:00:00.000Z';
const at = (hoursBefore: number) => new Date(Date.parse(STARTED) - hoursBefore * 3_600_000).toISOString();
const ids = (missed: readonly { id: string }[]) => missed.map(({ id }) => id);

test('an audit leaves recent retries alone and hands in the others oldest first', () => {
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

test('an audit skips settled deliveries and retries undecided ones', () => {
  const first = endReport(newAudit('acme', at(24), undefined), undefined);
  const second = newAudit('acme', STARTED, settledIn(first));
  const listed = [
    { id: 'before', createdAt: at(27) },
    { id: 'under way then', createdAt: at(25) },
    { id: 'of no time' },
  ];
  expect(ids(toHandIn(listed, second).missed)).toEqual(['of no time', 'under way then']);
});

test('the next audit retries deliveries that could not be read', () => {
  const report = newAudit('acme', STARTED, at(100));
  expect(settledIn(endReport(report, at(50)))).toBe(at(50));
  expect(settledIn(endReport(report, at(0.5)))).toBe(at(2));
});

test('a stopped audit and an unreadable report settle nothing', () => {
  expect(settledIn({ ...newAudit('acme', STARTED, at(100)), stopped: 'forbidden' })).toBe(at(100));
  expect([undefined, null, 7, {}, { settledUntil: 7 }].map(settledIn)).toEqual(Array(5).fill(undefined));
});

test('the report counts every delivery and lists the first hundred ids once each', () => {
  let report = newAudit('acme', STARTED, undefined);
  for (let one = 0; one < 150; one += 1) report = recordOutcome(report, 'handedIn', ['agr-0', `agr-${one}`]);
  expect(report).toMatchObject({ missed: 150, handedIn: 150, gone: 0 });
  expect(report.named.handedIn).toHaveLength(100);
});
