// The wire format of a payment, by version.
import { isAtLeast, type ApiVersion } from '../http/request.js';
import { resourceUrl } from '../http/responses.js';
import type { Party } from '../store/entities.schema.js';
import type { Payment } from '../store/payment.schema.js';

export function formatPayment(payment: Payment, baseUrl: string, version: ApiVersion) {
  const { source_refund_uid: source } = payment;
  return {
    uid: payment.uid,
    agreement_uid: payment.agreement_uid,
    state: payment.state,
    amount: payment.amount,
    last_payment: payment.last_payment,
    priority: payment.priority,
    reference: payment.reference,
    description: payment.description,
    creditor: formatCreditor(payment.creditor, version),
    creditor_reference: payment.creditor_reference,
    debtor: withoutAccountUid(payment.debtor),
    failure: payment.failure,
    created_at: payment.created_at,
    source_payto_refund_uid: source,
    ...(payment.metadata === null ? {} : { metadata: payment.metadata }),
    links: {
      self: resourceUrl(baseUrl, 'payto_payment', payment.uid),
      agreement: resourceUrl(baseUrl, 'payto_agreement', payment.agreement_uid),
      source_refund: source === null ? null : resourceUrl(baseUrl, 'payto_refund', source),
    },
  };
}

/** Documented in both spellings (docs/provider.md#payments-resource, #differences): here the longer one before 20260901. */
function formatCreditor(creditor: Party, version: ApiVersion) {
  const { party_name: name, account_identifier } = creditor;
  return isAtLeast(version, '20260901') ? { name, account_identifier } : withoutAccountUid(creditor);
}

function withoutAccountUid({ party_name, ultimate_party_name, account_identifier }: Party) {
  return { party_name, ultimate_party_name, account_identifier };
}
