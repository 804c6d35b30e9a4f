// Times, money and codes for people.

export interface Locale {
  /** Default: that of the machine. */
  timeZone?: string | undefined;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** A formatter takes long to make, and a long list needs many. Only Australian English has names for the zones of Australia. */
const formatters = new Map<string | undefined, Intl.DateTimeFormat>();
function formatterIn({ timeZone }: Locale): Intl.DateTimeFormat {
  const found = formatters.get(timeZone);
  if (found) return found;
  const made = new Intl.DateTimeFormat('en-AU', {
    ...{ hourCycle: 'h23', timeZoneName: 'short', weekday: 'long', year: 'numeric' },
    ...{ month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    ...(timeZone !== undefined && { timeZone }),
  });
  formatters.set(timeZone, made);
  return made;
}

type Parts = Readonly<
  Record<'weekday' | 'day' | 'month' | 'year' | 'hour' | 'minute' | 'second' | 'zone', string>
>;

/** @returns undefined for a text that is no time. */
function partsOf(at: string, locale: Locale): Parts | undefined {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return undefined;
  const parts = formatterIn(locale).formatToParts(ms);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  return {
    ...{
      weekday: part('weekday'),
      day: part('day'),
      month: MONTHS[Number(part('month')) - 1] ?? '',
      year: part('year'),
    },
    ...{ hour: part('hour'), minute: part('minute'), second: part('second'), zone: part('timeZoneName') },
  };
}

/** A text that is no time stays as it is. */
function formatted(at: string | null, locale: Locale, format: (parts: Parts) => string): string {
  if (at === null) return '–';
  const parts = partsOf(at, locale);
  return parts === undefined ? at : format(parts);
}

/** Such as `29 Nov 2026, 14:07:11 AEDT`. */
export const localTime = (at: string | null, locale: Locale): string =>
  formatted(
    at,
    locale,
    ({ day, month, year, hour, minute, second, zone }) =>
      `${day} ${month} ${year}, ${hour}:${minute}:${second} ${zone}`,
  );

/** Such as `29 Nov 26 14:07 AEDT`: for tables. */
export const shortTime = (at: string | null, locale: Locale): string =>
  formatted(
    at,
    locale,
    ({ day, month, year, hour, minute, zone }) =>
      `${day} ${month} ${year.slice(2)} ${hour}:${minute} ${zone}`,
  );

/** Such as `Sunday 29 Nov 2026 (AEDT)`. */
export const localDay = (at: string, locale: Locale): string =>
  formatted(
    at,
    locale,
    ({ weekday, day, month, year, zone }) => `${weekday} ${day} ${month} ${year} (${zone})`,
  );

/** Such as `14:07:11`. */
export const clockTime = (at: string, locale: Locale): string =>
  formatted(at, locale, ({ hour, minute, second }) => `${hour}:${minute}:${second}`);

const AUD = new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD' });

/** Cents as dollars: `$42.00`. */
export const dollars = (cents: number | null): string => (cents === null ? '–' : AUD.format(cents / 100));

/** `under_investigation` as words. */
export const words = (code: string | null): string => code?.replaceAll(/[_-]/g, ' ') ?? '–';

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** The two largest units: `2 h 5 min`. */
export function duration(seconds: number): string {
  const parts: string[] = [];
  let left = Math.round(seconds);
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 2).join(' ') || '0 s';
}

/** Lines of at most so many characters. A longer word gets its own line. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= width || line === '') line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/** Escape sequences in stored texts must not reach a terminal. */
export const printable = (text: string): string => text.replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd');
