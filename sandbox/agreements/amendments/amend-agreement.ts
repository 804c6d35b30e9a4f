// POST A/amendment: 202 at once, and everything else with time.
import type { Engine } from '../../engine.js';
import { registerOperation } from '../../http/operation.js';
import type { Router } from '../../http/responses.js';
import { scriptFor } from '../action-script.js';
import { UNANSWERED_MS } from '../agreement-rules.js';
import { findAgreement } from '../find-agreement.js';
import { parseBody } from '../parse-body.js';
import { amendAgreementSchema } from './amend-agreement.schema.js';
import { beginAmendment } from './amendment-life.js';
import { checkAmendment } from './amendment-rules.js';
import type { Amendment } from './amendment.schema.js';

const OPERATION = {
  name: 'amend_agreement',
  method: 'POST',
  path: '/payto/agreements/:uid/amendment',
  scope: 'pay_to_amendments',
} as const;

export function registerAmendAgreement(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid, body, version }) => {
    const request = parseBody(amendAgreementSchema(version), body, version);
    const agreement = findAgreement(engine, uid);
    checkAmendment(engine, agreement, request);
    const { clock } = engine;
    // A payer that is scripted never to answer by itself does not do so here either.
    const usual = agreement.script.simulate === 'ignore' ? 'ignore' : 'debtor_accept';
    const amendment: Amendment = {
      changes: request.changes,
      resolution_requested_before:
        request.resolution_requested_before ?? new Date(clock.now() + UNANSWERED_MS).toISOString(),
      state: 'pending',
      actor: 'initiator',
      failure: null,
      created_at: clock.iso(),
      recall: null,
      ...scriptFor(engine, agreement, { action: 'amendment', asked: request.sandbox, usual }),
    };
    beginAmendment(engine, { agreement, amendment });
    return { status: 202, body: null };
  });
}
