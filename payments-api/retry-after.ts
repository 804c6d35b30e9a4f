// The two forms of Retry-After (RFC 9110, 10.2.3): seconds, or an HTTP date.

const MAX_MS = 24 * 60 * 60 * 1000; // whoever asks for longer is not heard: timers would overflow before it ends
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds to wait from now, 0 to one day; nothing when the header is absent or unreadable. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, MAX_MS);
  if (!HTTP_DATE.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at - nowMs, 0), MAX_MS);
}
