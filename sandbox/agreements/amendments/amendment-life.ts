// What time and the payer bring to an amendment once it was accepted with 202.
import type { Engine } from '../../engine.js';
import type { ActionSimulation, Explanation } from '../agreement-action.schema.js';
import { tellChange } from '../agreement-events.js';
import { SUBMISSION_MS } from '../agreement-life.js';
import { cancelled } from '../agreement-moves.js';
import { UNANSWERED_MS } from '../agreement-rules.js';
import { moveAgreement } from '../agreement-states.js';
import type { Agreement } from '../agreement.schema.js';
import { FAILURES } from '../failures.js';
import { reasonOf } from '../reasons.js';
import { applyAmendment, failAmendment, moveAmendment, type OfAgreement } from './amendment-states.js';
import type { Amendment } from './amendment.schema.js';
import { needPayer } from './changes.js';
import { amendmentKey } from './find-amendment.js';

/** Amendments that fail after the 202. */
const FAILS: Partial<Record<ActionSimulation, Explanation>> = {
  creditor_alias_not_found: FAILURES.creditor_alias_not_found,
  alias_resolution_service_unavailable: FAILURES.alias_resolution_service_unavailable,
  amendment_failed: FAILURES.refused_by_scheme,
};

/** What is scripted to happen instead of asking the payer, or without asking, comes after the script's delay. */
const isDecidedAtSubmission = ({ simulate, changes }: Amendment): boolean =>
  FAILS[simulate] !== undefined || simulate === 'agreement_cancelled' || !needPayer(changes);

/** The call is answered with 202; everything after it comes with time. */
export function beginAmendment(engine: Engine, { agreement, amendment }: OfAgreement): void {
  const { scheduler, clock } = engine;
  agreement.amendments.push(amendment);
  tellChange(engine, agreement, { subject: 'payto_agreement_amendment', from: null, to: amendment.state });
  const key = amendmentKey(agreement, amendment);
  const delayMs = isDecidedAtSubmission(amendment) ? amendment.delay * 1000 : 0;
  scheduler.add('submit_amendment', key, clock.now() + SUBMISSION_MS + delayMs);
  // That it expires 5 days after its creation, as an agreement does, is inferred.
  scheduler.add('expire_amendment', key, clock.now() + UNANSWERED_MS);
}

/** Does nothing to an amendment that has ended with its agreement in the meantime. */
export function submitAmendment(engine: Engine, it: OfAgreement): void {
  const { agreement, amendment } = it;
  if (amendment.state !== 'pending') return;
  const { simulate, delay, changes } = amendment;
  const failure = FAILS[simulate];
  if (failure !== undefined) failAmendment(engine, it, failure);
  else if (simulate === 'agreement_cancelled') cancelByPayer(engine, agreement);
  else if (!needPayer(changes)) applyAmendment(engine, it);
  else {
    moveAmendment(engine, it, { to: 'created' });
    if (simulate === 'ignore') return;
    const dueAt = engine.clock.now() + SUBMISSION_MS + delay * 1000;
    engine.scheduler.add('answer_amendment', amendmentKey(agreement, amendment), dueAt);
  }
}

function cancelByPayer(engine: Engine, agreement: Agreement): void {
  moveAgreement(engine, agreement, cancelled('debtor', reasonOf('MD16')));
}

export function declineAmendment(engine: Engine, it: OfAgreement): void {
  const event = { name: 'amendment_declined', body: { caused_by: 'debtor' } };
  moveAmendment(engine, it, { to: 'declined', event });
}

/** Does nothing to an amendment that was decided in the meantime. */
export function expireAmendment(engine: Engine, it: OfAgreement): void {
  moveAmendment(engine, it, { to: 'expired', event: { name: 'amendment_expired', body: null } });
}

const ANSWERS: Partial<Record<ActionSimulation, (engine: Engine, it: OfAgreement) => void>> = {
  debtor_accept: applyAmendment,
  debtor_decline: declineAmendment,
  expire: expireAmendment,
};

/** The scripted answer has come due; void where the amendment was decided in the meantime. */
export function answerAmendment(engine: Engine, it: OfAgreement): void {
  if (it.amendment.state === 'created') ANSWERS[it.amendment.simulate]?.(engine, it);
}
