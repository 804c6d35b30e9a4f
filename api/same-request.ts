// Whether two requests ask for the same thing. Pure; the order of keys does not matter.

/** The pointer of the first place at which they differ; absent and undefined are alike. */
export function firstDifference(asked: unknown, known: unknown, path = ''): string | undefined {
  if (!isObject(asked) || !isObject(known)) return asked === known ? undefined : path;
  const keys = [...new Set([...Object.keys(asked), ...Object.keys(known)])];
  for (const key of keys) {
    const here = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const different = firstDifference(Reflect.get(asked, key), Reflect.get(known, key), here);
    if (different !== undefined) return different;
  }
  return undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
