// The wire format of a refund. Its fields are not documented; we return the request's fields and the common ones.
import { resourceUrl } from '../http/responses.js';
import type { Refund } from '../store/refund.schema.js';

export function formatRefund(refund: Refund, baseUrl: string) {
  const { refund_payment: paid } = refund;
  return {
    uid: refund.uid,
    original_payment_uid: refund.original_payment_uid,
    state: refund.state,
    refund_payment: paid,
    failure: refund.failure,
    created_at: refund.created_at,
    ...(refund.metadata === null ? {} : { metadata: refund.metadata }),
    links: {
      self: resourceUrl(baseUrl, 'payto_refund', refund.uid),
      original_payment: resourceUrl(baseUrl, 'payto_payment', refund.original_payment_uid),
    },
  };
}
