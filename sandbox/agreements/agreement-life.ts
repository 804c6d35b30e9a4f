// What time brings to an agreement once it was accepted: submission to the scheme, the payer's turn, expiry.
import { randomBytes } from 'node:crypto';
import { tellChange } from './agreement-events.js';
import { cancelled, expired, failed, registered } from './agreement-moves.js';
import { UNANSWERED_MS } from './agreement-rules.js';
import { moveAgreement } from './agreement-states.js';
import type { Explanation } from './agreement-action.schema.js';
import type { Engine } from '../engine.js';
import type { Agreement, PayerSimulation } from './agreement.schema.js';
import { FAILURES } from './failures.js';
import { reasonOf } from './reasons.js';

/** How long what was accepted takes to reach the scheme. */
export const SUBMISSION_MS = 20;

/** Creations that fail after the 201. */
const FAILS: Partial<Record<PayerSimulation, Explanation>> = {
  debtor_account_type_not_supported: FAILURES.debtor_account_type_not_supported,
  debtor_alias_not_found: FAILURES.debtor_alias_not_found,
  creditor_alias_not_found: FAILURES.creditor_alias_not_found,
  alias_resolution_service_unavailable: FAILURES.alias_resolution_service_unavailable,
  agreement_service_unavailable: FAILURES.agreement_service_unavailable,
};

/** The create call is answered with 201; everything after it comes with time. */
export function beginAgreement(engine: Engine, agreement: Agreement): void {
  const { store, scheduler, clock } = engine;
  const { uid, script } = agreement;
  store.agreements.set(uid, agreement);
  tellChange(engine, agreement, { subject: 'payto_agreement', from: null, to: agreement.state });
  const failsAfterMs = FAILS[script.simulate] === undefined ? 0 : script.delay * 1000;
  scheduler.add('submit_agreement', uid, clock.now() + SUBMISSION_MS + failsAfterMs);
  scheduler.add('expire_agreement', uid, clock.now() + UNANSWERED_MS);
  if (agreement.cancel_if_unresolved === true) {
    scheduler.add('cancel_unresolved_agreement', uid, Date.parse(agreement.resolution_requested_before));
  }
}

export function submitAgreement(engine: Engine, agreement: Agreement): void {
  const { simulate, delay } = agreement.script;
  const failure = FAILS[simulate];
  if (failure !== undefined) {
    moveAgreement(engine, agreement, failed(failure));
    return;
  }
  // A UUIDv1 without hyphens.
  const id = randomBytes(16).toString('hex');
  agreement.mms_agreement_id = `${id.slice(0, 12)}1${id.slice(13)}`;
  moveAgreement(engine, agreement, registered);
  if (simulate === 'ignore') return;
  engine.scheduler.add('answer_agreement', agreement.uid, engine.clock.now() + SUBMISSION_MS + delay * 1000);
}

/** Does nothing to an agreement that was answered in the meantime. */
export function expireAgreement(engine: Engine, agreement: Agreement): void {
  moveAgreement(engine, agreement, expired(agreement));
}

/** `cancel_if_unresolved`: the deadline the initiator set has come. */
export function cancelUnresolvedAgreement(engine: Engine, agreement: Agreement): void {
  if (agreement.state !== 'created') return;
  moveAgreement(engine, agreement, cancelled('service_system', reasonOf('NOAS')));
}
