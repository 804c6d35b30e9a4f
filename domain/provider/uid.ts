// Which uids agreements and payments can have. Pure.

/** As the provider has it (docs/provider.md#conventions). */
export const UID = /^[A-Za-z0-9_~.-]{1,64}$/;

// Both fit the provider's pattern, yet every URL parser takes them for a step up or down in the path.
const PATH_STEPS: ReadonlySet<string> = new Set(['.', '..']);

/** Whether this is a uid that can stand in a path, a query and an id. */
export const isUid = (value: unknown): value is string =>
  typeof value === 'string' && UID.test(value) && !PATH_STEPS.has(value);
