// How an amendment looks on the wire (facts 7.5).
import { resourceUrl } from '../../http/links.js';
import type { OfAgreement } from './amendment-states.js';

export function formatAmendment({ agreement, amendment }: OfAgreement, baseUrl: string) {
  return {
    agreement_uid: agreement.uid,
    changes: amendment.changes,
    resolution_requested_before: amendment.resolution_requested_before,
    state: amendment.state,
    actor: amendment.actor,
    failure: amendment.failure,
    created_at: amendment.created_at,
    links: { agreement: resourceUrl(baseUrl, 'payto_agreement', agreement.uid) },
  };
}
