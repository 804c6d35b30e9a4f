// The wire format of an agreement, by version.
import { isAtLeast, type ApiVersion } from '../http/request.js';
import { resourceUrl } from '../http/responses.js';
import type { Agreement } from '../store/agreement.schema.js';
import type { Party } from '../store/entities.schema.js';

/** Only version 20260901 shows `payment_account_uid`, and only for parties that have one. */
function formatParty({ payment_account_uid, ...party }: Party, version: ApiVersion) {
  const isShown = payment_account_uid !== null && isAtLeast(version, '20260901');
  return isShown ? { ...party, payment_account_uid } : party;
}

/** Only version 20260901 shows `client_id`; null is the primary client (docs/provider.md#versions). */
function formatInitiator({ client_id, ...initiator }: Agreement['initiator'], version: ApiVersion) {
  return isAtLeast(version, '20260901') ? { ...initiator, client_id } : initiator;
}

/** Documented in both forms (docs/provider.md#differences): here a string in version 20260901, an object before it. */
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
