// What is done with an agreement that exists: cancelled, suspended, reactivated (facts 7.4), amended, recalled (7.5).
// Each is accepted with a 202 that says nothing more: the outcome comes as an event. None has a key against repeats:
// after an unknown outcome a refusal whose advice says `look_up` may be the doing of the first attempt.
// In:  payments-api/client.ts.
// Out: payments-api/requests/body.ts builds bodies, resources.schema.ts reads answers.
import { ActionRequest, AmendmentRequest } from '../requests/agreement.schema.js';
import { Amendment } from '../answers/resources.schema.js';
import { accepted, dataOf } from './kinds.js';
import { requestBody } from '../requests/body.js';
import { uidSegment } from '../uid.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';

export interface AgreementActionOperations {
  /** POST /payto/agreements/{uid}/cancellation. Final. */
  cancelAgreement(uid: string, why: ActionRequest, call: Call): Promise<void>;
  /** POST /payto/agreements/{uid}/suspension. */
  suspendAgreement(uid: string, why: ActionRequest, call: Call): Promise<void>;
  /** POST /payto/agreements/{uid}/reactivation: only of what we suspended ourselves (ZPREA00). */
  reactivateAgreement(uid: string, call: Call): Promise<void>;
  /** POST /payto/agreements/{uid}/amendment. Attributes that are no longer relevant are sent as null. */
  proposeAmendment(uid: string, request: AmendmentRequest, call: Call): Promise<void>;
  /** GET /payto/agreements/{uid}/amendment: the one in progress; `not_found` where there is none. */
  getAmendment(uid: string, call: Call): Promise<Amendment>;
  /** POST /payto/agreements/{uid}/amendment/recall, while the payer has not answered. */
  recallAmendment(uid: string, call: Call): Promise<void>;
}

export function agreementActionOperations({ ask, version }: Asking): AgreementActionOperations {
  const act = (name: string, uid: string, action: string, body: object, call: Call): Promise<void> => {
    const path = `/payto/agreements/${uidSegment(name, uid)}/${action}`;
    return ask({ name, method: 'POST', path, body, ...accepted }, call);
  };
  return {
    cancelAgreement: async (uid, why, call) => {
      const name = 'cancelAgreement';
      return act(name, uid, 'cancellation', requestBody(name, ActionRequest, why, version), call);
    },
    suspendAgreement: async (uid, why, call) => {
      const name = 'suspendAgreement';
      return act(name, uid, 'suspension', requestBody(name, ActionRequest, why, version), call);
    },
    reactivateAgreement: async (uid, call) => act('reactivateAgreement', uid, 'reactivation', {}, call),
    proposeAmendment: async (uid, request, call) => {
      const name = 'proposeAmendment';
      return act(name, uid, 'amendment', requestBody(name, AmendmentRequest, request, version), call);
    },
    getAmendment: async (uid, call) => {
      const name = 'getAmendment';
      const path = `/payto/agreements/${uidSegment(name, uid)}/amendment`;
      return ask({ name, method: 'GET', path, read: dataOf(name, Amendment) }, call);
    },
    recallAmendment: async (uid, call) => act('recallAmendment', uid, 'amendment/recall', {}, call),
  };
}
