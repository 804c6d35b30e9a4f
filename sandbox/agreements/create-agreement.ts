// POST /payto/agreements: 201 at once, and everything else with time.
import { randomUUID } from 'node:crypto';
import { beginAgreement, UNANSWERED_MS } from './agreement-life.js';
import { checkAgreement } from './agreement-rules.js';
import { createAgreementSchema, type CreateAgreement } from './create-agreement.schema.js';
import type { Engine } from '../engine.js';
import type { Agreement, PaymentTerms } from './agreement.schema.js';
import type { Party } from '../entities.schema.js';
import { formatAgreement } from './format-agreement.js';
import { registerOperation } from '../http/operation.js';
import { refusalFrom, refuseByCode } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import { isAtLeast, type ApiVersion } from '../http/version.js';

/** The client record behind every agreement until clients can be registered here. */
const PRIMARY_CLIENT = {
  name: 'Sandbox Biller',
  legal_name: 'Sandbox Biller Pty Ltd',
  abn: '53004085616',
  acn: '004085616',
};

const OPERATION = {
  name: 'create_agreement',
  method: 'POST',
  path: '/payto/agreements',
  scope: 'pay_to_agreements',
} as const;

export function registerCreateAgreement(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ body, version }) => {
    const parsed = createAgreementSchema(version).safeParse(body);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const { uid } = parsed.data;
    if (engine.store.agreements.has(uid)) {
      throw refuseByCode('ZPAGR00', `An agreement with uid ${uid} already exists`, uid);
    }
    checkAgreement(parsed.data, { nowMs: engine.clock.now(), version });
    const agreement = newAgreement(engine, parsed.data, version);
    beginAgreement(engine, agreement);
    const resource = formatAgreement(agreement, engine.settings.baseUrl, version);
    return { status: 201, body: { data: { id: agreement.id, ...resource } } };
  });
}

function newAgreement({ clock, store }: Engine, request: CreateAgreement, version: ApiVersion): Agreement {
  const unanswered = new Date(clock.now() + UNANSWERED_MS).toISOString();
  const { simulate = 'debtor_accept', delay = 0 } = request.sandbox ?? {};
  const { initiator } = request;
  return {
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
    payment_terms: newTerms(request.payment_terms),
    debtor: newParty(request.debtor),
    creditor: request.creditor == null ? null : newParty(request.creditor),
    initiator: {
      ...PRIMARY_CLIENT,
      // Before 20260901 what the caller says of the initiator is ignored, as for any ordinary account.
      name: (isAtLeast(version, '20260901') ? initiator?.name : null) ?? PRIMARY_CLIENT.name,
      client_id: initiator?.client_id ?? null,
    },
    metadata: request.metadata ?? null,
    script: store.payerScripts.get(request.uid) ?? { simulate, delay },
  };
}

function newTerms(terms: CreateAgreement['payment_terms']): PaymentTerms {
  return {
    type: terms.type,
    frequency: terms.frequency,
    count: terms.count ?? null,
    max_amount: terms.max_amount ?? null,
    amount: terms.amount ?? null,
    first_payment_amount: terms.first_payment_amount ?? null,
    last_payment_amount: terms.last_payment_amount ?? null,
    first_payment_date: terms.first_payment_date ?? null,
    last_payment_date: terms.last_payment_date ?? null,
  };
}

function newParty(party: CreateAgreement['debtor']): Party {
  return {
    party_name: party.party_name,
    ultimate_party_name: party.ultimate_party_name ?? party.party_name,
    account_identifier: party.account_identifier,
    payment_account_uid: party.payment_account_uid ?? null,
  };
}
