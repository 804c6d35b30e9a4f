// Times, money and codes as people read them.
import { sydneyTime as localTime } from '../../domain/time/sydney.js';

const SYDNEY = 'Australia/Sydney';
const time = new Intl.DateTimeFormat('en-AU', {
  ...{ timeZone: SYDNEY, day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' },
});
const day = new Intl.DateTimeFormat('en-AU', {
  ...{ timeZone: SYDNEY, day: 'numeric', month: 'long', year: 'numeric' },
});
const plainDay = new Intl.DateTimeFormat('en-AU', {
  ...{ timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
});

/** Such as `3 Mar 2026, 14:05 AEDT`. */
export const sydneyTime = (at: string): string => time.format(Date.parse(at));

/** Such as `2026-03-03 03:05 UTC`. */
export const utcTime = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

/** Such as `3 March 2026`, in Sydney. */
export const sydneyDay = (at: string): string => day.format(Date.parse(at));

/** A date without a time, such as `Tue, 3 Mar 2026`. */
export const dayInWords = (date: string): string => plainDay.format(Date.parse(`${date}T00:00:00Z`));

const wholeDollars = new Intl.NumberFormat('en-AU');

/** Exact: cents are never divided as floating point. */
export function dollars(cents: number): string {
  const amount = Math.abs(cents);
  const rest = amount % 100;
  const text = `$${wholeDollars.format((amount - rest) / 100)}.${String(rest).padStart(2, '0')}`;
  return cents < 0 ? `−${text}` : text;
}

/** Cents of a typed amount such as `42`, `42.50` or `$1,042.50`. Undefined for any other text. */
export function centsIn(typed: string): number | undefined {
  const [, whole, rest = '00'] = /^\$?(\d{1,8})(?:\.(\d\d))?$/.exec(typed.trim().replaceAll(',', '')) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(rest);
}

/** `under_investigation` as words. */
export const words = (code: string): string => code.replaceAll(/[_-]/g, ' ');

/** `Under investigation`. */
export const sentenceOf = (code: string): string =>
  words(code).replace(/^./, (letter) => letter.toUpperCase());

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** The largest unit, such as `3 days`. */
export function duration(ms: number): string {
  for (const [unit, size] of UNITS) {
    const count = Math.floor(ms / size);
    if (count > 0) return counted(count, unit);
  }
  return 'less than a minute';
}

/** `1 flag`, `3 flags`. */
export const counted = (count: number, noun: string): string =>
  `${wholeDollars.format(count)} ${noun}${count === 1 ? '' : 's'}`;

/** The instant of a local time in Sydney, such as `2026-03-03T14:05` of a form. Undefined for any other text. */
export function sydneyInstant(typed: string): string | undefined {
  const [, day, hours, minutes] = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?$/.exec(typed) ?? [];
  if (day === undefined || Number.isNaN(Date.parse(`${day}T00:00:00Z`))) return undefined;
  return localTime(day, (Number(hours) * 60 + Number(minutes)) * 60_000);
}
