// Parsers for Retry-After (RFC 9110, 10.2.3) and Link (RFC 8288). Pure, in linear time.
import type { AnswerHeaders } from './transport.js';

const MAX_MS = 24 * 60 * 60 * 1000; // The cap: longer timers would overflow.
const LONGEST_PAUSE_MS = 60 * 60 * 1000; // One wrong header must not block a connection for a day.
const DEFAULT_PAUSE_MS = 1000;

/** The current form of an HTTP date and the two obsolete ones (RFC 9110, 5.6.7). */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** Milliseconds to wait from now, 0 to one day; undefined if the header is absent or unreadable. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, MAX_MS);
  if (!HTTP_DATES.some((form) => form.test(text))) return undefined;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at - nowMs, 0), MAX_MS);
}

/**
 * Milliseconds, 0 to one hour, for which an answer asks us to send no calls. A 429 always pauses, by default for 1 s.
 * A 503 pauses only with Retry-After (docs/provider.md#errors: a 503 may affect only one resource).
 */
export function pauseMs(
  { status, headers }: { status: number; headers: AnswerHeaders },
  nowMs: number,
): number {
  if (status !== 429 && status !== 503) return 0;
  const requested = retryAfterMs(headers.get('retry-after'), nowMs);
  return Math.min(requested ?? (status === 429 ? DEFAULT_PAUSE_MS : 0), LONGEST_PAUSE_MS);
}

/** One `<target>`, and one parameter after it. Each match starts at the end of the previous one. */
const TARGET = /[\s,]*<([^<>]*)>/y;
const PARAMETER = /\s*;\s*([^\s=;,"<>]*)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"<>]*)))?/y;
const END_OF_LINK = /\s*(?:,|$)/y;
const NOTHING_MORE = /[\s,]*$/y;

/**
 * The target of the first link with the relation `next`, as written; undefined if there is none.
 * @param header as fetch returns it: several headers joined by commas.
 * @returns a wrapper, so that `undefined` always means an unreadable header, which may have named the next page.
 */
export function nextIn(header: string | null): { target: string | undefined } | undefined {
  const text = header ?? '';
  let at = 0;
  const read = (what: RegExp): RegExpExecArray | null => {
    what.lastIndex = at;
    const found = what.exec(text);
    if (found !== null) at = what.lastIndex;
    return found;
  };
  for (let link = read(TARGET); link !== null; link = read(TARGET)) {
    const parameters = new Map<string, string>();
    for (let one = read(PARAMETER); one !== null; one = read(PARAMETER)) {
      const name = (one[1] ?? '').toLowerCase();
      // If a parameter occurs twice, the first one counts (RFC 8288, 3.3).
      if (!parameters.has(name)) parameters.set(name, one[2]?.replace(/\\(.)/g, '$1') ?? one[3] ?? '');
    }
    if (isNext(parameters)) return { target: link[1] };
    if (read(END_OF_LINK) === null) return undefined;
  }
  return read(NOTHING_MORE) === null ? undefined : { target: undefined };
}

/** A link with an `anchor` describes another page. */
const isNext = (parameters: ReadonlyMap<string, string>): boolean =>
  !parameters.has('anchor') && (parameters.get('rel') ?? '').toLowerCase().split(/\s+/).includes('next');
