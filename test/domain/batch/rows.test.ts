import { expect, test } from 'vitest';
import {
  countsOf,
  outcomeOfState,
  refusedRow,
  sharedOut,
  sumOf,
  type AgreementRow,
  type RowOutcome,
} from '../../../domain/batch/rows.js';
import { bytesOf } from '../../../domain/facts/retention.js';
import { anAgreement } from '../../support/api/builders.js';
import { codecOf, payloadOf } from '../../support/sealing/payloads.js';

const AT = '2026-11-01T00:00:00.000Z';
const KIB = 1024;

const aLargeRow = (index: number): AgreementRow => {
  const { uid: _, ...mandate } = anAgreement();
  const metadata = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, 'x'.repeat(600)]));
  return { kind: 'agreements', uid: `agr-${index}`, mandate: { ...mandate, metadata } };
};

const small = Array.from({ length: 10_000 }, (_, index) => ({ uid: `agr-${index}` }));
const long = (letter: string) => ({
  code: letter.repeat(500),
  pointer: letter.repeat(500),
  detail: letter.repeat(5000),
});

test.each([
  ['a thousand large agreements', Array.from({ length: 1000 }, (_, index) => aLargeRow(index)), 'd'],
  ['ten thousand small rows with refusals that JSON escapes to six bytes', small, '\u0001'],
  ['ten thousand small rows with refusals in four-byte characters', small, '\u{1F4B8}'],
])('%s are split into chunks that fit into one sealed payload', async (_, rows, letter) => {
  const runs = sharedOut<object>(rows);
  expect(runs.flat()).toEqual(rows);
  const answer = refusedRow([long(letter), long(letter), long(letter)], AT);
  expect(answer.refusals).toHaveLength(1);
  for (const run of runs) {
    expect(bytesOf(run)).toBeLessThan(100 * KIB);
    const [sealed] = await codecOf().encode([payloadOf({ run, answers: run.map(() => answer) })]);
    expect(sealed?.data?.length).toBeLessThan(256 * KIB);
  }
});

test('a row keeps its first six refusals unchanged', () => {
  const short = { code: 'terms', pointer: '/amount', detail: 'the maximum amount is 100.00, met 120.00' };
  expect(
    refusedRow(
      Array.from({ length: 9 }, () => short),
      AT,
    ).refusals,
  ).toEqual(Array.from({ length: 6 }, () => short));
});

test.each<['agreements' | 'payments', string, string | undefined, RowOutcome]>([
  ['agreements', 'pending', 'provider-acceptance', 'started'],
  ['agreements', 'pending', 'operator', 'blocked'],
  ['agreements', 'created', 'payer-decision', 'done'],
  ['agreements', 'failed', 'nothing', 'failed'],
  ['payments', 'requested', 'stop', 'blocked'],
  ['payments', 'requested', 'agreement', 'started'],
  ['payments', 'requested', 'reauthorisation', 'blocked'],
  ['payments', 'requested', 'operator', 'blocked'],
  ['payments', 'lapsed', 'nothing', 'failed'],
  ['payments', 'created', 'settlement', 'done'],
])('a row of %s in state %s that awaits %s counts as %s', (kind, state, awaiting, outcome) => {
  expect(outcomeOfState(kind, state, awaiting)).toBe(outcome);
});

test('rows are counted by outcome across chunks', () => {
  const done = { outcome: 'done', at: AT } as const;
  expect(countsOf([done, null, done])).toEqual({ done: 2, waiting: 1 });
  expect(sumOf([countsOf([done, null]), countsOf([done])])).toEqual({ waiting: 1, done: 2 });
});
