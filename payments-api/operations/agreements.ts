// Agreement operations (docs/provider.md#operations and #agreements-creation).
import { MISSING_STATE } from '../../domain/facts/snapshot.js';
import { AgreementFilter } from '../requests/filter.schema.js';
import { Amendment } from '../answers/resources.schema.js';
import { accepted, dataOf, lists, pageOf, perhaps, readsSnapshot, resource, type Asking } from './kinds.js';
import { agreementFrom } from '../answers/snapshot.js';
import { bodyOf, type NewAgreement } from '../requests/intended.js';
import { uidSegment } from '../requests/checked.js';
import { historyFact } from '../answers/event.js';
import { upTo } from '../http/paging.js';
import type { AgreementSnapshot } from '../../domain/agreement/lifecycle.js';
import type { Call } from '../http/send.js';
import type { Fact } from '../../domain/facts/fact.js';
import type { ActionRequest, AmendmentRequest, IdentificationRequest } from '../requests/agreement.schema.js';

/** The usual state of a 201 (docs/provider.md#agreements-states), assumed if the answer has none. */
const ACCEPTED = 'pending';
/** 50 pages of 100 exceed any plausible history; the newest events come first. */
const MAX_HISTORY_PAGES = 50;
const ROOT = '/payto/agreements';
const readItem = (item: unknown) => agreementFrom(item, { state: MISSING_STATE });

export const agreementOperations = (asking: Asking) => ({
  /** POST /payto/agreements. A duplicate uid is `rejected` with ZPAGR00 (docs/provider.md#idempotency). Look it up; never create another uid. */
  createAgreement: async (request: NewAgreement, call: Call): Promise<AgreementSnapshot> => {
    const name = 'createAgreement';
    const body = bodyOf(name, request, asking);
    const read = resource(name, agreementFrom, { uid: request.uid, state: ACCEPTED });
    return asking.ask({ name, method: 'POST', path: ROOT, body, read }, call);
  },
  /** GET /payto/agreements/{uid} (docs/provider.md#operations). */
  getAgreement: readsSnapshot(asking, 'getAgreement', ROOT, agreementFrom),
  /** GET /payto/agreements, fetched page by page on demand, in no documented order (docs/provider.md#lists). */
  listAgreements: lists(asking, 'listAgreements', ROOT, AgreementFilter, readItem),
  /**
   * GET /payto/agreements, one page, for callers that must be able to continue later (docs/provider.md#lists).
   * @param from the filter, or `next` of an earlier page.
   */
  listAgreementPage: pageOf(asking, 'listAgreementPage', ROOT, AgreementFilter, readItem),
  /** GET /payto/agreements/{uid}/history: the complete history, up to 5000 events (docs/provider.md#history). */
  getAgreementHistory: async (uid: string, call: Call): Promise<Fact[]> => {
    const name = 'getAgreementHistory';
    const path = `${ROOT}/${uidSegment(name, uid)}/history`;
    const receivedAt = asking.now().toISOString();
    const readEntry = (item: unknown) => historyFact(item, { receivedAt, authenticated: true });
    const query = 'per_page=100';
    const history = asking.list({ name, method: 'GET', path, query, readItem: readEntry }, call);
    return upTo(MAX_HISTORY_PAGES, history);
  },
  ...agreementActions(asking),
});

/**
 * A bare 202 answers most of these, and an event reports the outcome. None is idempotent. After an unknown outcome, a
 * refusal as `wrong_state` or `already_processing` may be an effect of the first attempt.
 */
function agreementActions(asking: Asking) {
  const act = async (name: string, action: string, uid: string, body: object, call: Call): Promise<void> =>
    asking.ask(
      { name, method: 'POST', path: `${ROOT}/${uidSegment(name, uid)}/${action}`, body, ...accepted },
      call,
    );
  return {
    /** POST /payto/agreements/{uid}/cancellation. Final. */
    cancelAgreement: async (uid: string, why: ActionRequest, call: Call) =>
      act('cancelAgreement', 'cancellation', uid, bodyOf('cancelAgreement', why, asking), call),
    /** POST /payto/agreements/{uid}/suspension. */
    suspendAgreement: async (uid: string, why: ActionRequest, call: Call) =>
      act('suspendAgreement', 'suspension', uid, bodyOf('suspendAgreement', why, asking), call),
    /** POST /payto/agreements/{uid}/reactivation. Only for agreements that we suspended ourselves (ZPREA00). */
    reactivateAgreement: async (uid: string, call: Call) =>
      act('reactivateAgreement', 'reactivation', uid, {}, call),
    /** POST /payto/agreements/{uid}/amendment. Attributes that no longer apply are sent as null. */
    proposeAmendment: async (uid: string, request: AmendmentRequest, call: Call) =>
      act('proposeAmendment', 'amendment', uid, bodyOf('proposeAmendment', request, asking), call),
    /** GET /payto/agreements/{uid}/amendment: the pending amendment; `not_found` if there is none. */
    getAmendment: async (uid: string, call: Call): Promise<Amendment> => {
      const name = 'getAmendment';
      const path = `${ROOT}/${uidSegment(name, uid)}/amendment`;
      return asking.ask({ name, method: 'GET', path, read: dataOf(name, Amendment) }, call);
    },
    /** POST /payto/agreements/{uid}/amendment/recall, possible until the payer has answered. */
    recallAmendment: async (uid: string, call: Call) =>
      act('recallAmendment', 'amendment/recall', uid, {}, call),
    /**
     * POST /payto/agreements/{uid}/add_identification, from 20260901 on. Each identifier can be set once (docs/provider.md#identification).
     * @returns the agreement if the answer contains one; the shape is not published.
     */
    addIdentification: async (uid: string, request: IdentificationRequest, call: Call) => {
      const name = 'addIdentification';
      const path = `${ROOT}/${uidSegment(name, uid)}/add_identification`;
      const body = bodyOf(name, request, asking);
      const read = perhaps((data) => agreementFrom(data, { uid, state: MISSING_STATE }));
      return asking.ask({ name, method: 'POST', path, body, answer: 'perhaps', read }, call);
    },
  };
}
