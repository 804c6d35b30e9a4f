// How an agreement looks on the wire, by version.
import { resourceUrl } from '../http/links.js';
import { isAtLeast, type ApiVersion } from '../http/version.js';
import type { Agreement } from './agreement.schema.js';
import type { Party } from '../entities.schema.js';

export function formatParty({ payment_account_uid, ...party }: Party) {
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
