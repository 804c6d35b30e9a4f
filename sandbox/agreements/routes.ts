// The operations on agreements, except amendments and payer actions.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { operation, type Call, type Registration } from '../calls/operation.js';
import { initiatorFor } from '../clients/initiator.js';
import type { Engine } from '../engine/parts.js';
import { pageOf, pagingParameters } from '../http/paging.js';
import { parseOrRefuse, refuseByCode } from '../http/refusal.js';
import { isAtLeast, parseInVersion } from '../http/request.js';
import { commaSeparated } from '../http/wire.schema.js';
import {
  type Agreement,
  type AgreementInitiator,
  type PaymentTerms,
  AgreementState,
} from '../store/agreement.schema.js';
import { createdDaysParameters, isCreatedWithin } from '../time/created-days.js';
import { formatHistoryEntry } from '../webhooks/envelope.js';
import { ACTION_ROUTES } from './actions.js';
import { formatAgreement } from './formatter.js';
import { addIdentification } from './identification.js';
import { beginAgreement } from './life.js';
import { partyFrom, termsFrom } from './parties.js';
import { createAgreementSchema, type CreateAgreement } from './request.schema.js';
import { checkAgreement, countAttempt, UNANSWERED_MS, type Parties } from './rules.js';
import { findAgreement } from './states.js';

// POST /payto/agreements: answers 201 at once; all other changes follow later.
const createAgreement = operation(
  { name: 'create_agreement', method: 'POST', path: '/payto/agreements', scope: 'pay_to_agreements' },
  (call, engine) => {
    const agreement = agreementFrom(engine, call);
    beginAgreement(engine, agreement);
    const resource = formatAgreement(agreement, engine.settings.baseUrl, call.version);
    // Version 20260901 also returns the provider's own id.
    const data = isAtLeast(call.version, '20260901') ? { id: agreement.id, ...resource } : resource;
    return { status: 201, body: { data } };
  },
);

/** @throws Refusal if the schema, the limits, the rules or the initiator's registration forbid it, checked in this order. */
function agreementFrom(engine: Engine, { body, version }: Pick<Call, 'body' | 'version'>): Agreement {
  const request = parseInVersion(createAgreementSchema(version), body, version);
  const { uid } = request;
  if (engine.store.agreements.has(uid)) {
    throw refuseByCode('ZPAGR00', uid);
  }
  const parties = {
    debtor: partyFrom(engine, 'debtor', request.debtor),
    creditor: request.creditor == null ? null : partyFrom(engine, 'creditor', request.creditor),
  };
  countAttempt(engine, uid, parties.debtor.account_identifier);
  const terms = termsFrom(request.payment_terms);
  checkAgreement(request, { ...parties, terms }, { nowMs: engine.clock.now(), version });
  // Before 20260901 the provider ignores the initiator in the request of an ordinary account (docs/provider.md#agreements-creation).
  const initiator = initiatorFor(engine, isAtLeast(version, '20260901') ? request.initiator : null);
  return newAgreement(engine, request, { ...parties, initiator, payment_terms: terms });
}

type Resolved = Parties & { initiator: AgreementInitiator; payment_terms: PaymentTerms };

function newAgreement({ clock, store }: Engine, request: CreateAgreement, resolved: Resolved): Agreement {
  const unanswered = new Date(clock.now() + UNANSWERED_MS).toISOString();
  const { simulate = 'debtor_accept', delay = 0 } = request.sandbox ?? {};
  return {
    ...resolved,
    uid: request.uid,
    id: randomUUID(),
    state: 'pending',
    state_reason: null,
    state_caused_by: 'initiator',
    mms_agreement_id: null,
    created_at: clock.iso(),
    purpose: request.purpose,
    description: request.description,
    resolution_requested_before: request.resolution_requested_before ?? unanswered,
    cancel_if_unresolved: request.cancel_if_unresolved ?? null,
    validity_start_date: request.validity_start_date ?? null,
    validity_end_date: request.validity_end_date ?? null,
    metadata: request.metadata ?? null,
    script: store.payerScripts.get(request.uid) ?? { simulate, delay },
    pending_actions: [],
    amendments: [],
  };
}

const Query = z.strictObject({
  ...pagingParameters,
  state: commaSeparated(AgreementState).optional(),
  initiator_name: z.string().optional(),
  ...createdDaysParameters,
});
type Query = z.output<typeof Query>;

// GET /payto/agreements: newest first, filtered by state, initiator and creation date.
const listAgreements = operation(
  { name: 'list_agreements', method: 'GET', path: '/payto/agreements', scope: 'pay_to_agreements' },
  ({ path, query, version }, engine) => {
    const request = parseOrRefuse(Query, query);
    const wanted = [...engine.store.agreements.values()].filter((it) => isWanted(it, request));
    const page = pageOf(wanted.toReversed(), ({ uid }) => uid, { path, query });
    const data = page.items.map((it) => formatAgreement(it, engine.settings.baseUrl, version));
    return { status: 200, body: { data, links: page.links } };
  },
);

function isWanted({ state, initiator, created_at }: Agreement, query: Query): boolean {
  return (
    (query.state?.includes(state) ?? true) &&
    (query.initiator_name === undefined || query.initiator_name === initiator.name) &&
    isCreatedWithin(created_at, query)
  );
}

const getAgreement = operation(
  { name: 'get_agreement', method: 'GET', path: '/payto/agreements/:uid', scope: 'pay_to_agreements' },
  ({ uid, version }, engine) => ({
    status: 200,
    body: { data: formatAgreement(findAgreement(engine, uid), engine.settings.baseUrl, version) },
  }),
);

const HistoryQuery = z.strictObject(pagingParameters);

// GET /payto/agreements/{uid}/history: every event of the agreement, newest first.
const readAgreementHistory = operation(
  {
    name: 'agreement_history',
    method: 'GET',
    path: '/payto/agreements/:uid/history',
    scope: 'pay_to_agreements',
  },
  ({ uid, path, query }, engine) => {
    parseOrRefuse(HistoryQuery, query);
    const agreement = findAgreement(engine, uid);
    const events = (engine.store.events.get(agreement.uid) ?? []).toReversed();
    const page = pageOf(events, (event) => event.id, { path, query });
    return { status: 200, body: { data: page.items.map(formatHistoryEntry), links: page.links } };
  },
);

export const AGREEMENT_ROUTES: readonly Registration[] = [
  createAgreement,
  listAgreements,
  getAgreement,
  readAgreementHistory,
  ...ACTION_ROUTES,
  addIdentification,
];
