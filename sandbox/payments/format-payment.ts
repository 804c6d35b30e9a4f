// How a payment looks on the wire.
import { formatParty } from '../agreements/format-agreement.js';
import { resourceUrl } from '../http/links.js';
import type { Payment } from './payment.schema.js';

export function formatPayment(payment: Payment, baseUrl: string) {
  return {
    uid: payment.uid,
    agreement_uid: payment.agreement_uid,
    state: payment.state,
    amount: payment.amount,
    last_payment: payment.last_payment,
    priority: payment.priority,
    reference: payment.reference,
    description: payment.description,
    creditor: {
      name: payment.creditor.party_name,
      account_identifier: payment.creditor.account_identifier,
    },
    creditor_reference: payment.creditor_reference,
    debtor: formatParty(payment.debtor),
    failure: payment.failure,
    created_at: payment.created_at,
    source_payto_refund_uid: null,
    ...(payment.metadata === null ? {} : { metadata: payment.metadata }),
    links: {
      self: resourceUrl(baseUrl, 'payto_payment', payment.uid),
      agreement: resourceUrl(baseUrl, 'payto_agreement', payment.agreement_uid),
    },
  };
}
