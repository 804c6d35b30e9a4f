// Whether what exists at the provider is what we meant (docs/provider.md#idempotency: a duplicate uid is answered without saying so). Pure.

/** Fields that the provider may fill in or word anew, so a difference there says nothing of the intent. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'metadata',
  'resolution_requested_before',
  'cancel_if_unresolved',
]);

/**
 * The paths at which a thing that exists differs from what was intended. Only what was intended is compared,
 * and only where the provider answers it at all: what it leaves out or adds by itself is no difference.
 */
export function differences(intended: object, found: object, path = ''): string[] {
  return Object.entries(intended).flatMap(([key, want]: [string, unknown]) => {
    const have: unknown = Reflect.get(found, key);
    if (NOT_COMPARED.has(key) || isAbsent(want) || isAbsent(have)) return [];
    const here = `${path}/${key}`;
    if (isObject(want)) return isObject(have) ? differences(want, have, here) : [here];
    return want === have ? [] : [here];
  });
}

/**
 * Whether changes that are under way are those that we wanted: each of ours is among them, and what we take away is not said
 * there to stand. Of one that names nothing of ours it is not known whose it is, and so it is not ours.
 */
export function isRequestedChange(wanted: object, found: object): boolean {
  const ours = leavesOf(wanted);
  const have = new Map(leavesOf(found));
  const isThere = ([path, want]: Leaf): boolean =>
    isAbsent(want) ? isAbsent(have.get(path)) : have.get(path) === want;
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

/** Whether two plain objects say the same, whatever the order of their keys. */
export const isSame = (a: unknown, b: unknown): boolean => firstDifference(a, b) === undefined;

/** The JSON pointer of the first place at which they differ; absent and undefined are alike. */
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
