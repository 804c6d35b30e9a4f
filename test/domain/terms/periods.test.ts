import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allowanceOf } from '../../../domain/terms/periods.js';

const DAYS = { daily: 1, weekly: 7, fortnightly: 14 } as const;
const MONTHS = { monthly: 1, quarterly: 3, semi_annual: 6, annual: 12 } as const;
type Frequency = keyof typeof DAYS | keyof typeof MONTHS;

const parts = (day: string): [number, number, number] => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return [year, month, date];
};
const write = (year: number, month: number, date: number): string =>
  [year, String(month).padStart(2, '0'), String(date).padStart(2, '0')].join('-');
const lengthOf = (year: number, month: number): number =>
  month === 2
    ? year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
      ? 29
      : 28
    : [4, 6, 9, 11].includes(month)
      ? 30
      : 31;
function tomorrow(day: string): string {
  const [year, month, date] = parts(day);
  if (date < lengthOf(year, month)) return write(year, month, date + 1);
  return month < 12 ? write(year, month + 1, 1) : write(year + 1, 1, 1);
}
function monthsLater(day: string, count: number): string {
  let [year, month] = parts(day);
  for (let passed = 0; passed < count; passed += 1)
    [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
  return write(year, month, Math.min(parts(day)[2], lengthOf(year, month)));
}
function daysLater(day: string, count: number): string {
  return Array.from({ length: count }).reduce<string>((at) => tomorrow(at), day);
}

const BOUNDS = new Map<string, string[]>();
function endFrom(anchor: string, frequency: Frequency, day: string): string {
  const key = `${anchor} ${frequency}`;
  const bounds = BOUNDS.get(key) ?? [anchor];
  BOUNDS.set(key, bounds);
  for (;;) {
    const last = bounds.at(-1) ?? anchor;
    if (last > day) break;
    bounds.push(
      isDays(frequency)
        ? daysLater(last, DAYS[frequency])
        : monthsLater(anchor, bounds.length * MONTHS[frequency]),
    );
  }
  return bounds.find((bound) => bound > day) ?? '';
}
const isDays = (frequency: Frequency): frequency is keyof typeof DAYS => frequency in DAYS;

const CALENDARS = (frequency: Frequency): string[] =>
  frequency in DAYS
    ? ['2021-12-25', '2021-12-26', '2021-12-27', '2022-01-01', '2022-01-02', '2022-01-03']
    : ['2021-01-01', '2021-07-01'];

function slowly(frequency: Frequency, anchors: string[], allowed: number, payments: string[], today: string) {
  const readings = [...anchors, ...CALENDARS(frequency)].map(
    (anchor) => (day: string) => endFrom(anchor, frequency, day),
  );
  readings.push((day) => endFrom(day, frequency, day));
  const used = (on: string): number =>
    Math.min(...readings.map((end) => payments.filter((day) => end(day) > on).length));
  let freeFrom = today;
  while (used(freeFrom) >= allowed) freeFrom = tomorrow(freeFrom);
  return { allowed, used: used(today), freeFrom };
}

const dayIn = (from: string, to: string) =>
  fc
    .date({ min: new Date(from), max: new Date(to), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));

test('property: a payment passes if any reading of the period allows it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<Frequency>(
        'daily',
        'weekly',
        'fortnightly',
        'monthly',
        'quarterly',
        'semi_annual',
        'annual',
      ),
      fc.integer({ min: 1, max: 3 }),
      fc.array(dayIn('2022-01-04', '2022-12-31'), { maxLength: 2 }),
      fc.array(dayIn('2023-01-01', '2024-12-31'), { maxLength: 5 }),
      fc.integer({ min: 0, max: 40 }),
      (frequency, count, anchors, unsorted, later) => {
        const payments = unsorted.toSorted();
        const today = daysLater(payments.at(-1) ?? '2024-02-28', later);
        const terms = { type: 'variable', frequency, count };
        expect(allowanceOf({ terms, anchors }, payments, today)).toMatchObject(
          slowly(frequency, anchors, count, payments, today),
        );
      },
    ),
    { numRuns: 200 },
  );
});
