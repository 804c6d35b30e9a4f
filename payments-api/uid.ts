// Which uids may stand in a path of ours. They come from callers and from webhooks alike.
import { isUid } from '../domain/uid.js';
import { PaymentsApiError } from './errors.js';

export { isUid } from '../domain/uid.js';

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
