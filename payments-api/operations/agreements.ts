// Agreements: created, read, listed, and told the history of (interface 4.3, facts 4 and 7).
// In:  payments-api/client.ts.
// Out: payments-api/requests/body.ts builds bodies, query.ts filters; snapshot.ts and event.ts translate answers.
import { AgreementFilter } from '../requests/filter.schema.js';
import { IdentificationRequest } from '../identification-request.schema.js';
import { agreementFrom } from '../answers/snapshot.js';
import { agreementRequest, requestBody } from '../requests/body.js';
import { historyFact } from '../answers/event.js';
import { items, upTo } from '../http/paging.js';
import { perhaps, resource } from './kinds.js';
import { queryOf } from '../query.js';
import { uidSegment } from '../uid.js';
import type { AgreementSnapshot } from '../../domain/snapshot.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';
import type { Fact } from '../../domain/fact.js';
import type { ListPage, PagedOperation } from '../http/paging.js';
import type { NewAgreement } from '../requests/body.js';

export interface AgreementOperations {
  /** POST /payto/agreements. A taken uid is `rejected` with ZPAGR00 (facts 13): look it up, never mint another. */
  createAgreement(request: NewAgreement, call: Call): Promise<AgreementSnapshot>;
  /** GET /payto/agreements/{uid} (interface 4.3). */
  getAgreement(uid: string, call: Call): Promise<AgreementSnapshot>;
  /** GET /payto/agreements, page after page as they are consumed; in no documented order (facts 6). */
  listAgreements(filter: AgreementFilter, call: Call): AsyncIterable<AgreementSnapshot>;
  /**
   * GET /payto/agreements, one page, for whoever must be able to go on later where they stopped (facts 6).
   * @param from how the list is narrowed, or what an earlier page gave as `next`.
   */
  listAgreementPage(from: AgreementFilter | string, call: Call): Promise<ListPage<AgreementSnapshot>>;
  /** GET /payto/agreements/{uid}/history: all of it, up to 5000 events (interface 2.2). */
  getAgreementHistory(uid: string, call: Call): Promise<Fact[]>;
  /**
   * POST /payto/agreements/{uid}/add_identification, from 20260901 on: each identifier once, never changed (interface 4.3).
   * @returns the agreement where the answer holds one; its shape is not published.
   */
  addIdentification(
    uid: string,
    request: IdentificationRequest,
    call: Call,
  ): Promise<AgreementSnapshot | undefined>;
}

/** What a 201 normally shows (facts 7.3), to take where the answer names no state. */
const ACCEPTED = 'pending';
const UNSAID = 'unknown';
/** An agreement with so much history has long outlived what 50 pages of 100 hold; the newest come first. */
const MAX_HISTORY_PAGES = 50;

export function agreementOperations(asking: Asking): AgreementOperations {
  const { ask, list, page, version, now } = asking;
  return {
    createAgreement: async (request, call) => {
      const name = 'createAgreement';
      const body = agreementRequest(request, version);
      const read = resource(name, agreementFrom, { uid: request.uid, state: ACCEPTED });
      return ask({ name, method: 'POST', path: '/payto/agreements', body, read }, call);
    },
    getAgreement: async (uid, call) => {
      const name = 'getAgreement';
      const read = resource(name, agreementFrom, { uid, state: UNSAID });
      return ask({ name, method: 'GET', path: `/payto/agreements/${uidSegment(name, uid)}`, read }, call);
    },
    async *listAgreements(filter, call) {
      yield* items(list(agreementList('listAgreements', filter), call));
    },
    listAgreementPage: async (from, call) => page(agreementList('listAgreementPage', from), call),
    getAgreementHistory: async (uid, call) => {
      const name = 'getAgreementHistory';
      const path = `/payto/agreements/${uidSegment(name, uid)}/history`;
      const receivedAt = now().toISOString();
      const readItem = (item: unknown) => historyFact(item, { receivedAt, authenticated: true });
      const history = list({ name, method: 'GET', path, query: 'per_page=100', readItem }, call);
      return upTo(MAX_HISTORY_PAGES, history);
    },
    addIdentification: identify(asking),
  };
}

function agreementList(name: string, from: AgreementFilter | string): PagedOperation<AgreementSnapshot> {
  const query = typeof from === 'string' ? from : queryOf(name, AgreementFilter, from);
  const readItem = (item: unknown) => agreementFrom(item, { state: UNSAID });
  return { name, method: 'GET', path: '/payto/agreements', query, readItem };
}

const identify =
  ({ ask, version }: Asking): AgreementOperations['addIdentification'] =>
  async (uid, request, call) => {
    const name = 'addIdentification';
    const path = `/payto/agreements/${uidSegment(name, uid)}/add_identification`;
    const body = requestBody(name, IdentificationRequest, request, version);
    const read = perhaps((data) => agreementFrom(data, { uid, state: UNSAID }));
    return ask({ name, method: 'POST', path, body, answer: 'perhaps', read }, call);
  };
