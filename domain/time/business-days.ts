// Business days of banks in Sydney: Monday to Friday, without the holidays of New South Wales. Pure.
import { addDays, type Day } from './calendar.js';
import { HOLIDAYS, HOLIDAYS_UNTIL } from './holidays.js';

const SATURDAY = 6;
const SUNDAY = 0;
/** The table should be generated again when this many days or fewer are left. */
const WARNING_DAYS = 365;

const isHoliday = new Set<Day>(HOLIDAYS.map(([day]) => day));

/** Whether banks in Sydney work on that day. After the last year of the table, only weekends are excluded. */
export function isBusinessDay(day: Day): boolean {
  const weekday = new Date(`${day}T00:00:00.000Z`).getUTCDay();
  return weekday !== SATURDAY && weekday !== SUNDAY && !isHoliday.has(day);
}

/** The first business day after that day. */
export const nextBusinessDay = (day: Day): Day => businessDayOnOrAfter(addDays(day, 1));

/** That day, or the first business day after it. */
export function businessDayOnOrAfter(day: Day): Day {
  let found = day;
  while (!isBusinessDay(found)) found = addDays(found, 1);
  return found;
}

/** That day, or the last business day before it. */
export function businessDayOnOrBefore(day: Day): Day {
  let found = day;
  while (!isBusinessDay(found)) found = addDays(found, -1);
  return found;
}

/** What to do about the table of holidays; undefined until a year before it ends. */
export const holidaysWarning = (today: Day): string | undefined =>
  addDays(today, WARNING_DAYS) <= HOLIDAYS_UNTIL
    ? undefined
    : `The table of bank holidays ends on ${HOLIDAYS_UNTIL}; later holidays count as business days. Expected a table for at least a year ahead. Install a newer release, or run npm run generate:holidays with more years.`;
