// How resources look on the wire. Nothing else decides which fields an answer or a webhook carries.
import type { Agreement, Party, Payment, PublishedEvent, ResourceType } from './entities.schema.js';
import { sydneyTimestamp } from './sydney.js';
import { isAtLeast, type ApiVersion } from './version.js';

const COLLECTION: Record<ResourceType, string> = {
  payto_agreement: 'agreements',
  payto_payment: 'payments',
};

function resourceUrl(baseUrl: string, type: ResourceType, uid: string): string {
  return `${baseUrl}/payto/${COLLECTION[type]}/${uid}`;
}

function formatParty({ payment_account_uid, ...party }: Party) {
  return payment_account_uid === null ? party : { ...party, payment_account_uid };
}

/** `client_id` belongs to the answers of version 20260901 alone. */
function formatInitiator({ client_id, ...initiator }: Agreement['initiator'], version: ApiVersion) {
  return isAtLeast(version, '20260901') ? { ...initiator, client_id } : initiator;
}

export function formatAgreement(agreement: Agreement, baseUrl: string, version: ApiVersion) {
  return {
    uid: agreement.uid,
    state: agreement.state,
    state_reason: agreement.state_reason,
    state_caused_by: agreement.state_caused_by,
    mms_agreement_id: agreement.mms_agreement_id,
    created_at: agreement.created_at,
    purpose: agreement.purpose,
    description: agreement.description,
    resolution_requested_before: agreement.resolution_requested_before,
    cancel_if_unresolved: agreement.cancel_if_unresolved,
    validity_start_date: agreement.validity_start_date,
    validity_end_date: agreement.validity_end_date,
    payment_terms: agreement.payment_terms,
    debtor: formatParty(agreement.debtor),
    creditor: agreement.creditor === null ? null : formatParty(agreement.creditor),
    initiator: formatInitiator(agreement.initiator, version),
    ...(agreement.metadata === null ? {} : { metadata: agreement.metadata }),
    links: { self: resourceUrl(baseUrl, 'payto_agreement', agreement.uid) },
  };
}

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

/** A history entry gives the instant in UTC; the webhook of the same event gives it in Sydney's time. */
export function formatHistoryEntry(event: PublishedEvent) {
  return {
    id: event.id,
    resource_uid: event.resource_uid,
    published_at: event.published_at,
    resource_type: event.resource_type,
    body: event.body,
    type: event.type,
  };
}

export function formatWebhook(event: PublishedEvent, baseUrl: string) {
  return {
    data: {
      ...formatHistoryEntry(event),
      published_at: sydneyTimestamp(Date.parse(event.published_at)),
      ...(event.metadata === null ? {} : { resource_metadata: event.metadata }),
    },
    links: { resource: resourceUrl(baseUrl, event.resource_type, event.resource_uid) },
  };
}
