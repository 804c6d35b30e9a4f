// Compares a resource at the provider with our request. The answer to a duplicate uid does not show whether they differ
// (docs/provider.md#idempotency). Pure.

/** The provider may fill in or reformat these fields, so a difference there means nothing. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'metadata',
  'resolution_requested_before',
  'cancel_if_unresolved',
]);

/**
 * The paths at which the existing resource differs from the intended one. Only intended fields are compared, and only if
 * the provider returns them.
 */
export function differences(intended: object, found: object, path = ''): string[] {
  return Object.entries(intended).flatMap(([key, want]: [string, unknown]) => {
    const have: unknown = Reflect.get(found, key);
    if (NOT_COMPARED.has(key) || isAbsent(want) || isAbsent(have)) return [];
    const here = `${path}/${key}`;
    if (isObject(want)) return isObject(have) ? differences(want, have, here) : [here];
    return isEqual(want, have) ? [] : [here];
  });
}

/** Providers trim texts, change line ends, and write UUIDs in lower case. Such a value is still ours. */
const isEqual = (want: unknown, have: unknown): boolean => normalised(want) === normalised(have);

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function normalised(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.replaceAll(/\r\n?/g, '\n').normalize('NFC').trim();
  return UUID.test(text) ? text.toLowerCase() : text;
}

/**
 * Whether a pending change is the one that we requested. Each of our changed fields must be in it, and each field that we remove must be absent
 * or null. A change that names none of our fields has an unknown origin, so it does not count as ours.
 */
export function isRequestedChange(wanted: object, found: object): boolean {
  const ours = leavesOf(wanted);
  const have = new Map(leavesOf(found));
  const isThere = ([path, want]: Leaf): boolean =>
    isAbsent(want) ? isAbsent(have.get(path)) : isEqual(have.get(path), want);
  return ours.some(([path]) => have.has(path)) && ours.every(isThere);
}

type Leaf = [path: string, value: unknown];

const leavesOf = (tree: object, path = ''): Leaf[] =>
  Object.entries(tree).flatMap(([key, value]: [string, unknown]): Leaf[] =>
    isObject(value)
      ? leavesOf(value, `${path}/${key}`)
      : value === undefined
        ? []
        : [[`${path}/${key}`, value]],
  );

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether two plain objects are equal, in any order of keys. */
export const isSame = (a: unknown, b: unknown): boolean => firstDifference(a, b) === undefined;

/** The JSON pointer of the first difference. Absent and undefined are equal. */
export function firstDifference(requested: unknown, found: unknown, path = ''): string | undefined {
  if (!isObject(requested) || !isObject(found)) return requested === found ? undefined : path;
  const keys = [...new Set([...Object.keys(requested), ...Object.keys(found)])];
  for (const key of keys) {
    const here = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const different = firstDifference(Reflect.get(requested, key), Reflect.get(found, key), here);
    if (different !== undefined) return different;
  }
  return undefined;
}
