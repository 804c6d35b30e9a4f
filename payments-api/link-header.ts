// The Link header (RFC 8288), of which we want one thing: where the next page is. Pure, and linear in what it reads.

/** One `<target>`, and one parameter after it; each is read where the one before ended. */
const TARGET = /[\s,]*<([^<>]*)>/y;
const PARAMETER = /\s*;\s*([^\s=;,"<>]*)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"<>]*)))?/y;
const END_OF_LINK = /\s*(?:,|$)/y;
const NOTHING_MORE = /[\s,]*$/y;

/**
 * The target of the first link with the relation `next`, as it was written; nothing where there is none.
 * @param header as fetch gives it, several headers joined by commas.
 * @returns boxed, so that nothing at all means a header that cannot be read: what it hid may have been the next page.
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

/** A link with an `anchor` tells of another page than the one that carries it. */
const isNext = (parameters: ReadonlyMap<string, string>): boolean =>
  !parameters.has('anchor') && (parameters.get('rel') ?? '').toLowerCase().split(/\s+/).includes('next');
