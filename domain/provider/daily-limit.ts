// When a call that met a daily limit of the provider may be made again (docs/provider.md#limits). Pure.
import { endOfSydneyDay, sydneyDayOf } from '../time/sydney.js';
import type { Instant } from '../facts/fact.js';

const HOUR_MS = 60 * 60 * 1000;

/** Their texts count the last 24 hours; all others count by day. */
const PER_24_HOURS: readonly string[] = ['ZPAGR15', 'ZPAGR16'];

/**
 * In the first hour after the limit has passed. By which clock the provider counts its days is not known: we take Sydney's.
 * @param spread from 0 to 1, so that not all calls are made at one instant. @param retryAfterMs as the provider asked for.
 */
export function dailyLimitEndsAt(
  code: string | undefined,
  now: Instant,
  { spread, retryAfterMs = 0 }: { spread: number; retryAfterMs?: number | undefined },
): Instant {
  const nowMs = Date.parse(now);
  const passesMs =
    code !== undefined && PER_24_HOURS.includes(code)
      ? nowMs + 24 * HOUR_MS
      : Date.parse(endOfSydneyDay(sydneyDayOf(now)) ?? now) + 1;
  return new Date(Math.max(passesMs + Math.round(spread * HOUR_MS), nowMs + retryAfterMs)).toISOString();
}
