import { expect, test } from 'vitest';
import { entryLines } from '../../../cli/payto/commands/timeline.js';
import type { TimelineEntry } from '../../../client/create.js';

type Fact = NonNullable<TimelineEntry['fact']>;

const fact = (over: Partial<Fact>): Fact => ({
  ...{
    id: 'f-1',
    type: 'activated',
    state: null,
    authenticated: true,
    caused_by: null,
    reason: null,
    detail: null,
  },
  ...{
    published_at: '2026-11-29T14:07:11.000Z',
    received_at: '2026-11-29T14:07:11.500Z',
    late_by_seconds: 0.5,
  },
  ...{ source: 'webhook', dropped: false },
  ...over,
});
const linesOf = (over: Partial<TimelineEntry>, textWidth = 100): string[] =>
  entryLines(
    {
      ...{ sequence: 1, kind: 'fact', name: 'activated', summary: 'The payer accepted the agreement.' },
      ...{ at: '2026-11-29T14:07:11.000Z', recorded_at: null, fact: null, details: null },
      ...over,
    },
    { locale: { timeZone: 'Australia/Sydney' }, textWidth },
  );

test('an entry is a sentence at its local time', () => {
  expect(linesOf({})).toEqual(['  01:07:11  The payer accepted the agreement.']);
  expect(linesOf({ fact: fact({}) })).toEqual(linesOf({}));
});

test('a fact that arrived late has how late, and where it was read', () => {
  expect(linesOf({ fact: fact({ late_by_seconds: 7500 }) })).toEqual([
    '  01:07:11  The payer accepted the agreement. (Received 2 h 5 min later.)',
  ]);
  expect(linesOf({ fact: fact({ source: 'history', late_by_seconds: 61 }) })).toEqual([
    '  01:07:11  The payer accepted the agreement. (Read from the provider’s history 1 min 1 s later.)',
  ]);
  expect(linesOf({ fact: fact({ source: 'command', late_by_seconds: 90 }) })).toEqual(linesOf({}));
});

test('a narrow terminal gets more lines, and no control characters', () => {
  expect(linesOf({ summary: 'One two three four\u001b[31m' }, 28)).toEqual([
    '  01:07:11  One two three',
    '            four\ufffd[31m',
  ]);
});
