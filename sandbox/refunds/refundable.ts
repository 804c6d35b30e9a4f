// How much of a payment is left to be refunded. A refund that failed has given nothing back; any other counts.
import type { Store } from '../store.js';

/** Cents; 0 for a payment nobody knows. */
export function refundableCents(
  { payments, refunds }: Pick<Store, 'payments' | 'refunds'>,
  paymentUid: string,
): number {
  const given = [...refunds.values()].filter(
    ({ original_payment_uid, state }) => original_payment_uid === paymentUid && state !== 'failed',
  );
  const paid = payments.get(paymentUid)?.amount ?? 0;
  return given.reduce((left, { refund_payment }) => left - refund_payment.amount, paid);
}
