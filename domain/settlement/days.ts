// Which days have a settlement report, and when it is due. Pure.
import { businessDayOnOrBefore, nextBusinessDay } from '../time/business-days.js';
import { addDays, type Day } from '../time/calendar.js';
import { startOfSydneyDay, sydneyDayOf } from '../time/sydney.js';
import type { Instant } from '../facts/fact.js';

/** From then on we ask for the report: the start of the next business day in Sydney. */
export const reportDueAt = (day: Day): Instant => startOfSydneyDay(nextBusinessDay(day));

/** From then on a missing report is late: the end of the next business day. */
export const reportLateAt = (day: Day): Instant => startOfSydneyDay(addDays(nextBusinessDay(day), 1));

/** The last day whose report is due. */
export const lastDueDay = (now: Instant): Day => addDays(businessDayOnOrBefore(sydneyDayOf(now)), -1);

/** A missing report is requested again during so many days. */
export const REQUESTED_DAYS = 31;
/** A stored report is compared again during so many days, because the provider may correct it. */
const COMPARED_DAYS = 7;

/** What is stored about a day. */
export interface StoredDay {
  day: Day;
  state: string;
  fetchedAt: Instant;
}

/** Less than a day, so that a daily run compares each report once. */
const COMPARE_AFTER_MS = 20 * 3_600_000;

/**
 * The days whose report should be fetched now, oldest first.
 * @param since the first activity of the connection: earlier days are not ours.
 */
export function daysToFetch(now: Instant, since: Instant, stored: readonly StoredDay[]): Day[] {
  const today = sydneyDayOf(now);
  const first = [sydneyDayOf(since), addDays(today, -REQUESTED_DAYS)].toSorted().at(-1) ?? today;
  const days: Day[] = [];
  for (let day = first; reportDueAt(day) <= now; day = addDays(day, 1)) {
    const found = stored.find((one) => one.day === day);
    if (found === undefined || found.state !== 'stored' || isToCompare(found, now)) days.push(day);
  }
  return days;
}

const isToCompare = ({ day, fetchedAt }: StoredDay, now: Instant): boolean =>
  day >= addDays(sydneyDayOf(now), -COMPARED_DAYS) &&
  Date.parse(now) - Date.parse(fetchedAt) >= COMPARE_AFTER_MS;
