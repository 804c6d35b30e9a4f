// A resource in words: first what a person needs (state, wait, flags), then all other fields.
import { dollars, localTime, printable, words, wrapped, type Locale } from './format.js';
import type { Found, Resource } from './find.js';

interface Layout {
  locale: Locale;
  width: number;
}

const LABEL = 24;
const MONEY = /^(amount|refunded|balance|balance_after|max_amount|first_payment_amount|last_payment_amount)$/;
const A_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const FIRST = new Set([
  'uid',
  'id',
  'state',
  'status',
  'state_since',
  'awaiting',
  'attention',
  'links',
  'state_since_source',
  // They explain a single submission; `--json` has them.
  'judgements',
]);

/** The lines of a resource for `show`. */
export function describe({ kind, uid, resource }: Found, layout: Layout): string[] {
  const fields = Object.entries(resource).filter(
    ([name, value]) => !FIRST.has(name) && !isOnlyAttempt(name, value),
  );
  return [
    `${words(kind.name)} ${uid}`.replace(/^./, (letter) => letter.toUpperCase()),
    ...stateLines(resource, layout),
    ...awaitingLines(resource, layout),
    ...resource.attention.flatMap((flag) => flagLines(flag, layout)),
    ...fields.flatMap(([name, value]) => fieldLines(name, value, layout, 2)),
  ];
}

/** The resource itself has what its only attempt has. */
const isOnlyAttempt = (name: string, value: unknown): boolean =>
  name === 'attempts' && Array.isArray(value) && value.length === 1;

const stateLines = (resource: Resource, layout: Layout): string[] => {
  const since: unknown = Reflect.get(resource, 'state_since');
  const from = typeof since === 'string' ? ` since ${localTime(since, layout.locale)}` : '';
  return labelled('state', `${words(resource.state ?? resource.status ?? 'none')}${from}`, layout, 2);
};

function awaitingLines({ awaiting }: Resource, layout: Layout): string[] {
  if (awaiting === undefined) return [];
  const { what, since, until, next } = awaiting;
  if (what === 'nothing') return labelled('waits for', 'nothing', layout, 2);
  const end = until == null ? '' : `, until ${localTime(until, layout.locale)}`;
  return [
    ...labelled('waits for', `${words(what)} since ${localTime(since, layout.locale)}${end}`, layout, 2),
    ...labelled('', next, layout, 2),
  ];
}

/** A flag, with what to do. */
export function flagLines(
  { code, since, detail, next }: Resource['attention'][number],
  layout: Layout,
): string[] {
  return [
    ...labelled('FLAG', `${code} since ${localTime(since, layout.locale)}`, layout, 2),
    ...labelled('', detail, layout, 2),
    ...labelled('', `What to do: ${next}`, layout, 2),
  ];
}

function fieldLines(name: string, value: unknown, layout: Layout, indent: number): string[] {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return [];
  if (Array.isArray(value) && typeof value[0] === 'object')
    return value.flatMap((item, index) =>
      fieldLines(value.length > 1 ? `${name} ${index + 1}` : name, item, layout, indent),
    );
  if (typeof value === 'object' && !Array.isArray(value)) {
    const lines = Object.entries(value).flatMap(([inner, one]: [string, unknown]) =>
      fieldLines(
        inner,
        name === 'amounts' && typeof one === 'number' ? dollars(one) : one,
        layout,
        indent + 2,
      ),
    );
    return lines.length === 0 ? [] : [`${' '.repeat(indent)}${words(name)}`, ...lines];
  }
  return labelled(words(name), scalar(name, value, layout.locale), layout, indent);
}

function scalar(name: string, value: unknown, locale: Locale): string {
  if (typeof value === 'number' && MONEY.test(name)) return dollars(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return A_TIME.test(value) ? localTime(value, locale) : printable(value);
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function labelled(label: string, text: string, { width }: Layout, indent: number): string[] {
  const column = Math.max(LABEL, indent + label.length + 1);
  return wrapped(printable(text), Math.max(width - column, 20)).map((line, index) =>
    `${(' '.repeat(indent) + (index === 0 ? label : '')).padEnd(column)}${line}`.trimEnd(),
  );
}
