// The valid uids of agreements, payments and other resources. Pure.

/** The provider's pattern (docs/provider.md#conventions). */
export const UID = /^[A-Za-z0-9_~.-]{1,64}$/;

// Both match the provider's pattern, but URL parsers treat them as path segments.
const PATH_STEPS: ReadonlySet<string> = new Set(['.', '..']);

/** Whether the value is a uid that is safe in a path, a query and an id. */
export const isUid = (value: unknown): value is string =>
  typeof value === 'string' && UID.test(value) && !PATH_STEPS.has(value);
