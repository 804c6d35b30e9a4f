// What a request for a payment tells its agreement of the records.
import { isRequested, type Before } from '../../domain/records/remembered.js';
import type { PaymentRequest } from '../../workflows/agreement/contract.js';

export function recordedIn({ found, isUnchecked }: Before): PaymentRequest['recorded'] {
  if (isUnchecked === true) return undefined;
  return found?.is === 'gone' || isRequested(found) ? 'uid' : 'nothing';
}
