// Agreement operations (docs/provider.md#operations and #agreements-creation).
import { MISSING_STATE } from '../../domain/facts/snapshot.js';
import { AgreementFilter } from '../requests/filter.schema.js';
import { Amendment } from '../answers/resources.schema.js';
import { accepted, dataOf, perhaps, resource } from './kinds.js';
import { agreementFrom } from '../answers/snapshot.js';
import { bodyOf } from '../requests/intended.js';
import { queryOf, uidSegment } from '../requests/checked.js';
import { historyFact } from '../answers/event.js';
import { items, upTo } from '../http/paging.js';
import type { AgreementSnapshot } from '../../domain/agreement/lifecycle.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';
import type { Fact } from '../../domain/facts/fact.js';
import type { ListPage, PagedOperation } from '../http/paging.js';
import type { ActionRequest, AmendmentRequest, IdentificationRequest } from '../requests/agreement.schema.js';
import type { NewAgreement } from '../requests/intended.js';

export interface AgreementOperations {
  /** POST /payto/agreements. A duplicate uid is `rejected` with ZPAGR00 (docs/provider.md#idempotency). Look it up; never create another uid. */
  createAgreement(request: NewAgreement, call: Call): Promise<AgreementSnapshot>;
  /** GET /payto/agreements/{uid} (docs/provider.md#operations). */
  getAgreement(uid: string, call: Call): Promise<AgreementSnapshot>;
  /** GET /payto/agreements, fetched page by page on demand, in no documented order (docs/provider.md#lists). */
  listAgreements(filter: AgreementFilter, call: Call): AsyncIterable<AgreementSnapshot>;
  /**
   * GET /payto/agreements, one page, for callers that must be able to continue later (docs/provider.md#lists).
   * @param from the filter, or `next` of an earlier page.
   */
  listAgreementPage(from: AgreementFilter | string, call: Call): Promise<ListPage<AgreementSnapshot>>;
  /** GET /payto/agreements/{uid}/history: the complete history, up to 5000 events (docs/provider.md#history). */
  getAgreementHistory(uid: string, call: Call): Promise<Fact[]>;
  /**
   * POST /payto/agreements/{uid}/add_identification, from 20260901 on. Each identifier can be set once (docs/provider.md#identification).
   * @returns the agreement if the answer contains one; the shape is not published.
   */
  addIdentification(
    uid: string,
    request: IdentificationRequest,
    call: Call,
  ): Promise<AgreementSnapshot | undefined>;
  // A bare 202 answers each of these, and an event reports the outcome. None is idempotent. After an unknown outcome, a
  // refusal as `wrong_state` or `already_processing` may be an effect of the first attempt.
  /** POST /payto/agreements/{uid}/cancellation. Final. */
  cancelAgreement(uid: string, why: ActionRequest, call: Call): Promise<void>;
  /** POST /payto/agreements/{uid}/suspension. */
  suspendAgreement(uid: string, why: ActionRequest, call: Call): Promise<void>;
  /** POST /payto/agreements/{uid}/reactivation. Only for agreements that we suspended ourselves (ZPREA00). */
  reactivateAgreement(uid: string, call: Call): Promise<void>;
  /** POST /payto/agreements/{uid}/amendment. Attributes that no longer apply are sent as null. */
  proposeAmendment(uid: string, request: AmendmentRequest, call: Call): Promise<void>;
  /** GET /payto/agreements/{uid}/amendment: the pending amendment; `not_found` if there is none. */
  getAmendment(uid: string, call: Call): Promise<Amendment>;
  /** POST /payto/agreements/{uid}/amendment/recall, possible until the payer has answered. */
  recallAmendment(uid: string, call: Call): Promise<void>;
}

/** The usual state of a 201 (docs/provider.md#agreements-states), assumed if the answer has none. */
const ACCEPTED = 'pending';
/** 50 pages of 100 exceed any plausible history; the newest events come first. */
const MAX_HISTORY_PAGES = 50;
const ROOT = '/payto/agreements';

export function agreementOperations(asking: Asking): AgreementOperations {
  const { ask, list, page, now } = asking;
  return {
    createAgreement: async (request, call) => {
      const name = 'createAgreement';
      const body = bodyOf(name, request, asking);
      const read = resource(name, agreementFrom, { uid: request.uid, state: ACCEPTED });
      return ask({ name, method: 'POST', path: ROOT, body, read }, call);
    },
    getAgreement: async (uid, call) => {
      const name = 'getAgreement';
      const read = resource(name, agreementFrom, { uid, state: MISSING_STATE });
      return ask({ name, method: 'GET', path: `${ROOT}/${uidSegment(name, uid)}`, read }, call);
    },
    async *listAgreements(filter, call) {
      yield* items(list(agreementList('listAgreements', filter), call));
    },
    listAgreementPage: async (from, call) => page(agreementList('listAgreementPage', from), call),
    getAgreementHistory: async (uid, call) => {
      const name = 'getAgreementHistory';
      const path = `${ROOT}/${uidSegment(name, uid)}/history`;
      const receivedAt = now().toISOString();
      const readItem = (item: unknown) => historyFact(item, { receivedAt, authenticated: true });
      const history = list({ name, method: 'GET', path, query: 'per_page=100', readItem }, call);
      return upTo(MAX_HISTORY_PAGES, history);
    },
    ...agreementActions(asking),
  };
}

function agreementList(name: string, from: AgreementFilter | string): PagedOperation<AgreementSnapshot> {
  const query = typeof from === 'string' ? from : queryOf(name, AgreementFilter, from);
  const readItem = (item: unknown) => agreementFrom(item, { state: MISSING_STATE });
  return { name, method: 'GET', path: ROOT, query, readItem };
}

type Action =
  'cancelAgreement' | 'suspendAgreement' | 'reactivateAgreement' | 'proposeAmendment' | 'recallAmendment';

function agreementActions(
  asking: Asking,
): Pick<AgreementOperations, Action | 'getAmendment' | 'addIdentification'> {
  const { ask } = asking;
  const act = async (name: Action, action: string, uid: string, body: object, call: Call): Promise<void> =>
    ask(
      { name, method: 'POST', path: `${ROOT}/${uidSegment(name, uid)}/${action}`, body, ...accepted },
      call,
    );
  return {
    cancelAgreement: async (uid, why, call) =>
      act('cancelAgreement', 'cancellation', uid, bodyOf('cancelAgreement', why, asking), call),
    suspendAgreement: async (uid, why, call) =>
      act('suspendAgreement', 'suspension', uid, bodyOf('suspendAgreement', why, asking), call),
    reactivateAgreement: async (uid, call) => act('reactivateAgreement', 'reactivation', uid, {}, call),
    proposeAmendment: async (uid, request, call) =>
      act('proposeAmendment', 'amendment', uid, bodyOf('proposeAmendment', request, asking), call),
    getAmendment: async (uid, call) => {
      const name = 'getAmendment';
      const path = `${ROOT}/${uidSegment(name, uid)}/amendment`;
      return ask({ name, method: 'GET', path, read: dataOf(name, Amendment) }, call);
    },
    recallAmendment: async (uid, call) => act('recallAmendment', 'amendment/recall', uid, {}, call),
    addIdentification: async (uid, request, call) => {
      const name = 'addIdentification';
      const path = `${ROOT}/${uidSegment(name, uid)}/add_identification`;
      const body = bodyOf(name, request, asking);
      const read = perhaps((data) => agreementFrom(data, { uid, state: MISSING_STATE }));
      return ask({ name, method: 'POST', path, body, answer: 'perhaps', read }, call);
    },
  };
}
