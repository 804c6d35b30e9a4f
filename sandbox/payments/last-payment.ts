// Whether the last payment of a balloon agreement has been made, or is under way: after it nothing is collected.
import type { Payment } from './payment.schema.js';

/** @param payments those of any agreements; one that failed is no last payment. */
export function lastPaymentMade(payments: Iterable<Payment>, agreementUid: string): boolean {
  return [...payments].some(
    (payment) =>
      payment.agreement_uid === agreementUid && payment.last_payment === true && payment.state !== 'failed',
  );
}
