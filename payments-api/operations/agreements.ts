// Agreements: created, read, listed, and told the history of (interface 4.3, facts 4 and 7).
// In:  payments-api/client.ts.
// Out: payments-api/request.ts builds bodies, snapshot.ts and event.ts translate answers.
import { agreementFrom } from '../snapshot.js';
import { agreementRequest } from '../request.js';
import { historyFact } from '../event.js';
import { items, upTo } from '../paging.js';
import { resource } from '../operation.js';
import { uidSegment } from '../uid.js';
import type { AgreementSnapshot } from '../../domain/snapshot.js';
import type { Asking } from '../operation.js';
import type { Call } from '../http.js';
import type { Fact } from '../../domain/fact.js';
import type { Mandate } from '../../domain/mandate.js';

export interface AgreementOperations {
  /** POST /payto/agreements. A taken uid is `rejected` with ZPAGR00 (facts 13): look it up, never mint another. */
  createAgreement(request: { uid: string } & Mandate, call: Call): Promise<AgreementSnapshot>;
  /** GET /payto/agreements/{uid} (interface 4.3). */
  getAgreement(uid: string, call: Call): Promise<AgreementSnapshot>;
  /** GET /payto/agreements, page after page as they are consumed. `perPage` 1 to 100 (facts 6). */
  listAgreements(filter: AgreementFilter, call: Call): AsyncIterable<AgreementSnapshot>;
  /** GET /payto/agreements/{uid}/history: all of it, up to 5000 events (interface 2.2). */
  getAgreementHistory(uid: string, call: Call): Promise<Fact[]>;
}

/** `state` as the provider writes them; `perPage` 1 to 100 (facts 6). */
export interface AgreementFilter {
  state?: string[] | undefined;
  perPage?: number | undefined;
}

/** What a 201 normally shows (facts 7.3), to take where the answer names no state. */
const ACCEPTED = 'pending';
const UNSAID = 'unknown';
/** An agreement with so much history has long outlived what 50 pages of 100 hold; the newest come first. */
const MAX_HISTORY_PAGES = 50;

export function agreementOperations({ ask, list, version, now }: Asking): AgreementOperations {
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
    listAgreements: (filter, call) => {
      const readItem = (item: unknown) => agreementFrom(item, { state: UNSAID });
      const asked = { name: 'listAgreements', method: 'GET', path: '/payto/agreements' } as const;
      return items(list({ ...asked, query: queryOf(filter), readItem }, call));
    },
    getAgreementHistory: async (uid, call) => {
      const name = 'getAgreementHistory';
      const path = `/payto/agreements/${uidSegment(name, uid)}/history`;
      const receivedAt = now().toISOString();
      const readItem = (item: unknown) => historyFact(item, { receivedAt, authenticated: true });
      const history = list({ name, method: 'GET', path, query: 'per_page=100', readItem }, call);
      return upTo(MAX_HISTORY_PAGES, history);
    },
  };
}

function queryOf({ state = [], perPage }: AgreementFilter): string {
  const query = new URLSearchParams();
  if (state.length > 0) query.set('state', state.join(','));
  if (perPage !== undefined) query.set('per_page', String(perPage));
  return query.toString();
}
