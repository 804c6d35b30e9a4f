// What time brings to an agreement once it was accepted: submission to the scheme, the payer's turn, expiry.
import { randomBytes } from 'node:crypto';
import { moveAgreement } from './agreement-states.js';
import type { Engine } from '../engine.js';
import type { Agreement, PayerSimulation } from './agreement.schema.js';

const SUBMISSION_MS = 20;
/** How long the payer has; then the provider says `expired`. */
export const UNANSWERED_MS = 5 * 24 * 60 * 60_000;

/** Creations that fail after the 201, and what the provider says of them. */
const FAILURES: Partial<Record<PayerSimulation, { code: string; title: string; detail: string }>> = {
  debtor_account_type_not_supported: {
    code: 'ZPUNP01',
    title: 'Debtor account type not supported',
    detail: 'The institution of the debtor does not support PayTo for this account.',
  },
  debtor_alias_not_found: {
    code: 'ZPUNP07',
    title: 'Debtor alias not found',
    detail: 'The alias of the debtor is not known to the addressing service.',
  },
  creditor_alias_not_found: {
    code: 'ZPUNP08',
    title: 'Creditor alias not found',
    detail: 'The alias of the creditor is not known to the addressing service.',
  },
  alias_resolution_service_unavailable: {
    code: 'ZPUNP06',
    title: 'Alias resolution unavailable',
    detail: 'The addressing service could not be reached.',
  },
  agreement_service_unavailable: {
    code: 'MMS.API.9000',
    title: 'Agreement service unavailable',
    detail: 'The agreement service of the scheme could not be reached.',
  },
};

/** The create call is answered with 201; everything after it comes with time. */
export function beginAgreement({ store, scheduler, clock, ledger }: Engine, agreement: Agreement): void {
  const { uid, script } = agreement;
  store.agreements.set(uid, agreement);
  ledger.append({
    kind: 'change',
    resource_type: 'payto_agreement',
    resource_uid: uid,
    from: null,
    to: agreement.state,
    event_id: null,
    event_type: null,
  });
  const failsAfterMs = FAILURES[script.simulate] === undefined ? 0 : script.delay * 1000;
  scheduler.add('submit_agreement', uid, clock.now() + SUBMISSION_MS + failsAfterMs);
  scheduler.add('expire_agreement', uid, clock.now() + UNANSWERED_MS);
  if (agreement.cancel_if_unresolved === true) {
    scheduler.add('cancel_unresolved_agreement', uid, Date.parse(agreement.resolution_requested_before));
  }
}

export function submitAgreement(engine: Engine, agreement: Agreement): void {
  const { simulate, delay } = agreement.script;
  const failure = FAILURES[simulate];
  if (failure !== undefined) {
    moveAgreement(engine, agreement, {
      to: 'failed',
      causedBy: 'service_system',
      reason: failure.code,
      event: { name: 'failed', body: { failure } },
    });
    return;
  }
  // A UUIDv1 without hyphens. Neither an event nor the history tells of this step.
  const id = randomBytes(16).toString('hex');
  agreement.mms_agreement_id = `${id.slice(0, 12)}1${id.slice(13)}`;
  moveAgreement(engine, agreement, { to: 'created', causedBy: 'initiator' });
  if (simulate === 'ignore') return;
  engine.scheduler.add('answer_agreement', agreement.uid, engine.clock.now() + SUBMISSION_MS + delay * 1000);
}

/** Does nothing to an agreement that was answered in the meantime. */
export function expireAgreement(engine: Engine, agreement: Agreement): void {
  moveAgreement(engine, agreement, {
    to: 'expired',
    causedBy: 'service_system',
    event: { name: 'expired', body: { mms_agreement_id: agreement.mms_agreement_id } },
  });
}

/** `cancel_if_unresolved`: the deadline the initiator set has come. */
export function cancelUnresolvedAgreement(engine: Engine, agreement: Agreement): void {
  if (agreement.state !== 'created') return;
  const reason = {
    code: 'NOAS',
    title: 'No answer from customer',
    detail: 'Not resolved before the time requested.',
    narrative: null,
  };
  moveAgreement(engine, agreement, {
    to: 'cancelled',
    causedBy: 'service_system',
    reason: reason.code,
    event: { name: 'cancelled', body: { caused_by: 'service_system', reason } },
  });
}
