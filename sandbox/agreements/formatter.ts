// How an agreement looks on the wire, by version.
import { isAtLeast, type ApiVersion } from '../http/request.js';
import { resourceUrl } from '../http/responses.js';
import type { Agreement } from '../store/agreement.schema.js';
import type { Party } from '../store/entities.schema.js';

/** `payment_account_uid` belongs to version 20260901 alone, and to parties that have one. */
function formatParty({ payment_account_uid, ...party }: Party, version: ApiVersion) {
  const isShown = payment_account_uid !== null && isAtLeast(version, '20260901');
  return isShown ? { ...party, payment_account_uid } : party;
}

/** `client_id` belongs to the answers of version 20260901 alone; null is the primary client (docs/provider.md#versions). */
function formatInitiator({ client_id, ...initiator }: Agreement['initiator'], version: ApiVersion) {
  return isAtLeast(version, '20260901') ? { ...initiator, client_id } : initiator;
}

/** A string in version 20260901, an object before it: the documents have both (docs/provider.md#differences), and callers shall meet both. */
function formatReason({ state_reason: reason }: Agreement, version: ApiVersion) {
  return reason === null || !isAtLeast(version, '20260901') ? reason : reason.code;
}

export function formatAgreement(agreement: Agreement, baseUrl: string, version: ApiVersion) {
  return {
    uid: agreement.uid,
    state: agreement.state,
    state_reason: formatReason(agreement, version),
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
    debtor: formatParty(agreement.debtor, version),
    creditor: agreement.creditor === null ? null : formatParty(agreement.creditor, version),
    initiator: formatInitiator(agreement.initiator, version),
    ...(agreement.metadata === null ? {} : { metadata: agreement.metadata }),
    links: { self: resourceUrl(baseUrl, 'payto_agreement', agreement.uid) },
  };
}
