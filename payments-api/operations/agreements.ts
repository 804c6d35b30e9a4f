// Agreements: created, read, listed, and acted on (docs/provider.md#operations and #agreements-creation).
// In:  payments-api/client.ts.
// Out: payments-api/requests/ builds bodies and queries; payments-api/answers/ translates answers.
import { UNSAID_STATE } from '../../domain/snapshot.js';
import { ActionRequest, AmendmentRequest, IdentificationRequest } from '../requests/agreement.schema.js';
import { AgreementFilter } from '../requests/filter.schema.js';
import { Amendment } from '../answers/resources.schema.js';
import { accepted, dataOf, perhaps, resource } from './kinds.js';
import { agreementFrom } from '../answers/snapshot.js';
import { agreementRequest, queryOf, requestBody, uidSegment } from '../requests/checked.js';
import { historyFact } from '../answers/event.js';
import { items, upTo } from '../http/paging.js';
import type { AgreementSnapshot } from '../../domain/snapshot.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';
import type { Fact } from '../../domain/fact.js';
import type { ListPage, PagedOperation } from '../http/paging.js';
import type { NewAgreement } from '../requests/checked.js';
import type { ZodType } from 'zod';

export interface AgreementOperations {
  /** POST /payto/agreements. A taken uid is `rejected` with ZPAGR00 (docs/provider.md#idempotency): look it up, never mint another. */
  createAgreement(request: NewAgreement, call: Call): Promise<AgreementSnapshot>;
  /** GET /payto/agreements/{uid} (docs/provider.md#operations). */
  getAgreement(uid: string, call: Call): Promise<AgreementSnapshot>;
  /** GET /payto/agreements, page after page as they are consumed; in no documented order (docs/provider.md#lists). */
  listAgreements(filter: AgreementFilter, call: Call): AsyncIterable<AgreementSnapshot>;
  /**
   * GET /payto/agreements, one page, for a caller that must be able to go on later where it stopped (docs/provider.md#lists).
   * @param from how the list is narrowed, or what an earlier page gave as `next`.
   */
  listAgreementPage(from: AgreementFilter | string, call: Call): Promise<ListPage<AgreementSnapshot>>;
  /** GET /payto/agreements/{uid}/history: all of it, up to 5000 events (docs/provider.md#history). */
  getAgreementHistory(uid: string, call: Call): Promise<Fact[]>;
  /**
   * POST /payto/agreements/{uid}/add_identification, from 20260901 on: each identifier once, never changed (docs/provider.md#identification).
   * @returns the agreement where the answer contains one; its shape is not published.
   */
  addIdentification(
    uid: string,
    request: IdentificationRequest,
    call: Call,
  ): Promise<AgreementSnapshot | undefined>;
  // Each of the following is answered by a bare 202, and its outcome comes as an event. None has a key against repeats: after an
  // unknown outcome a refusal that means `wrong_state` or `already_processing` may be the effect of the first attempt.
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

/** What a 201 normally shows (docs/provider.md#agreements-states), to take where the answer names no state. */
const ACCEPTED = 'pending';
/** An agreement with so much history has long outlived what 50 pages of 100 contain; the newest come first. */
const MAX_HISTORY_PAGES = 50;
const ROOT = '/payto/agreements';

export function agreementOperations(asking: Asking): AgreementOperations {
  const { ask, list, page, version, now } = asking;
  return {
    createAgreement: async (request, call) => {
      const name = 'createAgreement';
      const body = agreementRequest(request, version);
      const read = resource(name, agreementFrom, { uid: request.uid, state: ACCEPTED });
      return ask({ name, method: 'POST', path: ROOT, body, read }, call);
    },
    getAgreement: async (uid, call) => {
      const name = 'getAgreement';
      const read = resource(name, agreementFrom, { uid, state: UNSAID_STATE });
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
  const readItem = (item: unknown) => agreementFrom(item, { state: UNSAID_STATE });
  return { name, method: 'GET', path: ROOT, query, readItem };
}

type Action =
  'cancelAgreement' | 'suspendAgreement' | 'reactivateAgreement' | 'proposeAmendment' | 'recallAmendment';

function agreementActions({
  ask,
  version,
}: Asking): Pick<AgreementOperations, Action | 'getAmendment' | 'addIdentification'> {
  /** @param schema of the body; without one it is `{}`. */
  const act =
    <Body extends object>(name: Action, action: string, schema?: ZodType<Body>) =>
    async (uid: string, request: Body, call: Call): Promise<void> => {
      const body = schema === undefined ? {} : requestBody(name, schema, request, version);
      return ask(
        { name, method: 'POST', path: `${ROOT}/${uidSegment(name, uid)}/${action}`, body, ...accepted },
        call,
      );
    };
  const reactivate = act('reactivateAgreement', 'reactivation');
  const recall = act('recallAmendment', 'amendment/recall');
  return {
    cancelAgreement: act('cancelAgreement', 'cancellation', ActionRequest),
    suspendAgreement: act('suspendAgreement', 'suspension', ActionRequest),
    reactivateAgreement: (uid, call) => reactivate(uid, {}, call),
    proposeAmendment: act('proposeAmendment', 'amendment', AmendmentRequest),
    getAmendment: async (uid, call) => {
      const name = 'getAmendment';
      const path = `${ROOT}/${uidSegment(name, uid)}/amendment`;
      return ask({ name, method: 'GET', path, read: dataOf(name, Amendment) }, call);
    },
    recallAmendment: (uid, call) => recall(uid, {}, call),
    addIdentification: async (uid, request, call) => {
      const name = 'addIdentification';
      const path = `${ROOT}/${uidSegment(name, uid)}/add_identification`;
      const body = requestBody(name, IdentificationRequest, request, version);
      const read = perhaps((data) => agreementFrom(data, { uid, state: UNSAID_STATE }));
      return ask({ name, method: 'POST', path, body, answer: 'perhaps', read }, call);
    },
  };
}
