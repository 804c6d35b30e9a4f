// Which ids that the provider gives out may stand in a path of ours (interface 2.5, 2.6: UUIDs).
import { PaymentsApiError } from './errors.js';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The UUID as a segment of a path.
 * @throws PaymentsApiError `rejected` for what is none; nothing has been sent then.
 */
export function uuidSegment(operation: string, id: string): string {
  if (UUID.test(id)) return id;
  throw new PaymentsApiError('rejected', `${operation}: expected a UUID; met something else`);
}
