import { expect, test } from 'vitest';
import { newAudit, settledIn, toHandIn, endReport, applyOutcome } from '../../../domain/sweep/audit.js';

const STARTED = '2026-01-08T12:00:00.000Z';
const at = (hoursBefore: number) => new Date(Date.parse(STARTED) - hoursBefore * 3_600_000).toISOString();
const ids = (missed: readonly { id: string }[]) => missed.map(({ id }) => id);

test('an audit hands in what is not settled, oldest first and each once', () => {
  const listed = [
    { id: 'retried now', createdAt: at(0.1) },
    { id: 'of no time' },
    { id: 'given up', createdAt: at(30) },
    { id: 'given up', createdAt: at(30) },
  ];
  const handedIn = (settledUntil?: string) => ids(toHandIn(listed, newAudit('acme', STARTED, settledUntil)));
  expect(handedIn()).toEqual(['of no time', 'given up', 'retried now']);
  expect(handedIn(at(1))).toEqual(['of no time', 'retried now']);
});

test('the next audit reads the last ten minutes before this one again', () => {
  expect(settledIn(endReport(newAudit('acme', STARTED, at(100))))).toBe(at(1 / 6));
});

test('a stopped audit and an unreadable report settle nothing', () => {
  expect(settledIn({ ...newAudit('acme', STARTED, at(100)), stopped: 'forbidden' })).toBe(at(100));
  expect([undefined, null, 7, {}, { settledUntil: 7 }].map(settledIn)).toEqual(Array(5).fill(undefined));
});

test('the report counts every delivery and lists the first hundred ids once each', () => {
  let report = newAudit('acme', STARTED, undefined);
  for (let one = 0; one < 150; one += 1) report = applyOutcome(report, 'handedIn', ['agr-0', `agr-${one}`]);
  expect(report).toMatchObject({ missed: 150, handedIn: 150, gone: 0 });
  expect(report.named.handedIn).toHaveLength(100);
});
