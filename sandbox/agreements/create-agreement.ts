// POST /payto/agreements: 201 at once, and everything else with time.
import { randomUUID } from 'node:crypto';
import { initiatorFor } from '../clients/initiator.js';
import { beginAgreement } from './agreement-life.js';
import { checkAgreement, UNANSWERED_MS, type Parties } from './agreement-rules.js';
import { createAgreementSchema, type CreateAgreement } from './create-agreement.schema.js';
import { countAttempt } from './creation-limits.js';
import type { Engine } from '../engine.js';
import type { Agreement, AgreementInitiator, PaymentTerms } from './agreement.schema.js';
import { formatAgreement } from './format-agreement.js';
import { parseBody } from './parse-body.js';
import { partyFrom } from './request-party.js';
import { termsFrom } from './request-terms.js';
import { registerOperation, type Call } from '../http/operation.js';
import { refuseByCode } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import { isAtLeast } from '../http/version.js';

const OPERATION = {
  name: 'create_agreement',
  method: 'POST',
  path: '/payto/agreements',
  scope: 'pay_to_agreements',
} as const;

export function registerCreateAgreement(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, (call) => {
    const agreement = agreementFrom(engine, call);
    beginAgreement(engine, agreement);
    const resource = formatAgreement(agreement, engine.settings.baseUrl, call.version);
    return { status: 201, body: { data: { id: agreement.id, ...resource } } };
  });
}

/** @throws Refusal for what the schema, the limits, the rules or the initiator's registration forbid, in this order. */
function agreementFrom(engine: Engine, { body, version }: Pick<Call, 'body' | 'version'>): Agreement {
  const request = parseBody(createAgreementSchema(version), body, version);
  const { uid } = request;
  if (engine.store.agreements.has(uid)) {
    throw refuseByCode('ZPAGR00', `An agreement with uid ${uid} already exists`, uid);
  }
  const parties = {
    debtor: partyFrom(engine, 'debtor', request.debtor),
    creditor: request.creditor == null ? null : partyFrom(engine, 'creditor', request.creditor),
  };
  countAttempt(engine, uid, parties.debtor.account_identifier);
  const terms = termsFrom(request.payment_terms);
  checkAgreement(request, { ...parties, terms }, { nowMs: engine.clock.now(), version });
  // Before 20260901 what the caller says of the initiator is ignored, as for any ordinary account (facts 7.1).
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
