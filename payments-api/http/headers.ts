// What two headers of an answer mean: Retry-After (RFC 9110, 10.2.3) and Link (RFC 8288). Pure, and linear in what is read.
import type { AnswerHeaders } from './transport.js';

const MAX_MS = 24 * 60 * 60 * 1000; // a longer one is cut: timers would overflow before it ends
const LONGEST_PAUSE_MS = 60 * 60 * 1000; // one wrong header must not silence a connection for a day
const DEFAULT_PAUSE_MS = 1000;

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
 * For how long an answer asks for no more calls, 0 to one hour in milliseconds: a 429 always, 1 s where it does not say,
 * and a 503 where it does (docs/provider.md#errors: a 503 may be one resource's trouble).
 */
export function pauseMs(
  { status, headers }: { status: number; headers: AnswerHeaders },
  nowMs: number,
): number {
  if (status !== 429 && status !== 503) return 0;
  const requested = retryAfterMs(headers.get('retry-after'), nowMs);
  return Math.min(requested ?? (status === 429 ? DEFAULT_PAUSE_MS : 0), LONGEST_PAUSE_MS);
}

/** One `<target>`, and one parameter after it; each is read where the one before ended. */
const TARGET = /[\s,]*<([^<>]*)>/y;
const PARAMETER = /\s*;\s*([^\s=;,"<>]*)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"<>]*)))?/y;
const END_OF_LINK = /\s*(?:,|$)/y;
const NOTHING_MORE = /[\s,]*$/y;

/**
 * The target of the first link with the relation `next`, as it was written; nothing where there is none.
 * @param header as fetch gives it, several headers joined by commas.
 * @returns boxed, so that `undefined` alone means a header that cannot be read: it may have named the next page.
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
      // Of a parameter that comes twice the first counts (RFC 8288, 3.3).
      if (!parameters.has(name)) parameters.set(name, one[2]?.replace(/\\(.)/g, '$1') ?? one[3] ?? '');
    }
    if (isNext(parameters)) return { target: link[1] };
    if (read(END_OF_LINK) === null) return undefined;
  }
  return read(NOTHING_MORE) === null ? undefined : { target: undefined };
}

/** A link with an `anchor` is about another page than the one that carries it. */
const isNext = (parameters: ReadonlyMap<string, string>): boolean =>
  !parameters.has('anchor') && (parameters.get('rel') ?? '').toLowerCase().split(/\s+/).includes('next');
