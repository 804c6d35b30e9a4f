// What Retry-After asks for (RFC 9110, 10.2.3), and for how long an answer bids us be silent.
import type { AnswerHeaders } from './transport.js';

const MAX_MS = 24 * 60 * 60 * 1000; // whoever asks for longer is not heard: timers would overflow before it ends
const LONGEST_PAUSE_MS = 60 * 60 * 1000; // one wrong header must not silence a connection for a day
const UNSAID_PAUSE_MS = 1000;

/** The three forms of an HTTP date (RFC 9110, 5.6.7): the one that is written today, and the two that are still read. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** Milliseconds to wait from now, 0 to one day; nothing when the header is absent or unreadable. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, MAX_MS);
  if (!HTTP_DATES.some((form) => form.test(text))) return undefined;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at - nowMs, 0), MAX_MS);
}

/**
 * For how long an answer wants no more calls, 0 to one hour in milliseconds: a 429 always, 1 s where it does not say,
 * and a 503 where it does (facts 5: a 503 may be one resource's trouble).
 */
export function pauseMs(
  { status, headers }: { status: number; headers: AnswerHeaders },
  nowMs: number,
): number {
  if (status !== 429 && status !== 503) return 0;
  const asked = retryAfterMs(headers.get('retry-after'), nowMs);
  return Math.min(asked ?? (status === 429 ? UNSAID_PAUSE_MS : 0), LONGEST_PAUSE_MS);
}
