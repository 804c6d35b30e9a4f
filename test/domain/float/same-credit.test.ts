import { expect, test } from 'vitest';
import { entryOf, maybeSame, type SimilarEntry } from '../../../domain/float/same-credit.js';

const AT = '2026-10-01T01:00:00.000Z';
const REPORT = { uid: 'n-1', accountUid: 'f-1', amount: 700, receivedAt: AT, reference: 'INV-007' };
const entry = (id: string, over: Partial<SimilarEntry> = {}): SimilarEntry => ({
  ...{
    id,
    at: AT,
    amount: 700,
    balanceAfter: 700,
    connectionId: 'acme',
    caseUid: undefined,
    isTaken: false,
    isDecided: false,
  },
  ...{ description: 'Rent inv 7', ...over },
});
const HOURS_LATER = '2026-10-01T05:00:00.000Z';

test.each<[string, SimilarEntry[], string | undefined]>([
  ['the only one that names the reference', [entry('a'), entry('b', { description: 'Rent' })], 'a'],
  ['the one of the same minute', [entry('a', { at: HOURS_LATER }), entry('b')], 'b'],
  ['none of two', [entry('a'), entry('b')], undefined],
  ['none of another case', [entry('a', { isTaken: true })], undefined],
  ['none without text', [entry('a', { description: undefined })], undefined],
])('a notification has %s', (_, entries, expected) => {
  expect(entryOf(REPORT, entries, true)?.id).toBe(expected);
});

test('an entry of another hour counts only once there was time for a nearer one', () => {
  const far = [entry('a', { at: HOURS_LATER })];
  expect([entryOf(REPORT, far, false), entryOf(REPORT, far, true)?.id]).toEqual([undefined, 'a']);
});

test('a short reference is in any text by chance, and equal descriptions count', () => {
  const short = { ...REPORT, reference: '7' };
  expect(entryOf(short, [entry('a')], true)).toBeUndefined();
  expect(entryOf({ ...short, description: 'rent INV-7' }, [entry('a')], true)?.id).toBe('a');
  expect([
    maybeSame({}, { reference: 'x' }),
    maybeSame({ reference: 'INV-8' }, { description: 'INV-9' }),
  ]).toEqual([...[true, false]]);
});
