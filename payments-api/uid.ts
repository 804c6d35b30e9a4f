// Which uids may stand in a path of ours. They come from callers and from webhooks alike.
import { UidSchema } from '../domain/mandate.schema.js';
import { PaymentsApiError } from './errors.js';

// Both fit the provider's pattern, yet every URL parser takes them for a step up or down in the path.
const PATH_STEPS: ReadonlySet<string> = new Set(['.', '..']);

/** Whether this is a uid of agreements and payments: `^[A-Za-z0-9_~.-]{1,64}$` (facts 1), but not `.` or `..`. */
export function isUid(value: unknown): value is string {
  return UidSchema.safeParse(value).success && typeof value === 'string' && !PATH_STEPS.has(value);
}

/**
 * The uid as a segment of a path.
 * @throws PaymentsApiError `rejected` for what is no uid; nothing has been sent then.
 */
export function uidSegment(operation: string, uid: string): string {
  if (isUid(uid)) return encodeURIComponent(uid);
  throw new PaymentsApiError(
    'rejected',
    `${operation}: expected a uid of 1 to 64 of A-Z a-z 0-9 _ ~ . - other than . and ..; met something else`,
  );
}
