// The lifecycle of an amendment after the 202: timers, and the payer's decision.
import { SUBMISSION_MS } from '../agreements/life.js';
import { FAILURES, reasonOf } from '../agreements/reasons.js';
import { UNANSWERED_MS } from '../agreements/rules.js';
import {
  type OfAgreement,
  recordChange,
  cancelled,
  moveAgreement,
  failAmendment,
  moveAmendment,
} from '../agreements/states.js';
import type { Engine } from '../engine/parts.js';
import type { ActionSimulation, Explanation, Script } from '../store/action.schema.js';
import type { Agreement } from '../store/agreement.schema.js';
import type { Amendment } from '../store/amendment.schema.js';
import { applyAmendment, needPayer } from './changes.js';

// Tasks identify an amendment by its agreement's uid and its index among the agreement's amendments.

/** A uid contains no slash, so the key is unambiguous. */
function amendmentKey({ uid, amendments }: Agreement, amendment: Amendment): string {
  return `${uid}/${amendments.indexOf(amendment)}`;
}

export function amendmentByKey({ store }: Engine, key: string): OfAgreement | undefined {
  const [uid = '', place] = key.split('/');
  const agreement = store.agreements.get(uid);
  const amendment = agreement?.amendments[Number(place)];
  return agreement && amendment && { agreement, amendment };
}

/** Outcomes that make an amendment fail after the 202. */
const FAILS: Partial<Record<ActionSimulation, Explanation>> = {
  creditor_alias_not_found: FAILURES.creditor_alias_not_found,
  alias_resolution_service_unavailable: FAILURES.alias_resolution_service_unavailable,
  amendment_failed: FAILURES.refused_by_scheme,
};

/** True if the payer is not asked. The script's delay then applies before the submission. */
const isDecidedAtSubmission = ({ simulate, changes }: Amendment): boolean =>
  FAILS[simulate] !== undefined || simulate === 'agreement_cancelled' || !needPayer(changes);

/** Stores the amendment and schedules all later changes. The caller receives 202 at once. */
export function beginAmendment(engine: Engine, { agreement, amendment }: OfAgreement): void {
  const { scheduler, clock } = engine;
  agreement.amendments.push(amendment);
  recordChange(engine, agreement, { subject: 'payto_agreement_amendment', from: null, to: amendment.state });
  const key = amendmentKey(agreement, amendment);
  const delayMs = isDecidedAtSubmission(amendment) ? amendment.delay * 1000 : 0;
  scheduler.add('submit_amendment', key, clock.now() + SUBMISSION_MS + delayMs);
  // Inferred: an amendment expires 5 days after creation, like an agreement.
  scheduler.add('expire_amendment', key, clock.now() + UNANSWERED_MS);
}

/** Does nothing if the amendment has ended with its agreement. */
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

/** Does nothing if the amendment was already decided. */
export function expireAmendment(engine: Engine, it: OfAgreement): void {
  moveAmendment(engine, it, { to: 'expired', event: { name: 'amendment_expired', body: null } });
}

const ANSWERS: Partial<Record<ActionSimulation, (engine: Engine, it: OfAgreement) => void>> = {
  debtor_accept: applyAmendment,
  debtor_decline: declineAmendment,
  expire: expireAmendment,
};

/** Gives the scripted answer when it is due. Does nothing if the amendment was already decided. */
export function answerAmendment(engine: Engine, it: OfAgreement): void {
  if (it.amendment.state === 'created') ANSWERS[it.amendment.simulate]?.(engine, it);
}

// Recalls an amendment before the payer decides. The payer may be quicker.
const SUBJECT = 'payto_agreement_amendment_recall';

export function beginRecall(
  engine: Engine,
  { agreement, amendment }: OfAgreement,
  { simulate, delay }: Script,
): void {
  amendment.recall = simulate;
  recordChange(engine, agreement, { subject: SUBJECT, from: null, to: 'pending' });
  const dueAt = engine.clock.now() + SUBMISSION_MS + delay * 1000;
  engine.scheduler.add('finish_recall', amendmentKey(agreement, amendment), dueAt);
}

export function finishRecall(engine: Engine, it: OfAgreement): void {
  const { agreement, amendment } = it;
  const { recall: simulate } = amendment;
  amendment.recall = null;
  if (simulate === 'recall_failed') {
    failRecall(engine, agreement, FAILURES.refused_by_scheme);
    return;
  }
  if (simulate === 'amendment_applied') applyAmendment(engine, it);
  const event = { name: recallEvent(agreement), body: null };
  if (moveAmendment(engine, it, { to: 'recalled', event })) {
    recordChange(engine, agreement, { subject: SUBJECT, from: 'pending', to: 'completed' });
    return;
  }
  failRecall(engine, agreement, FAILURES.amendment_is_decided);
}

function failRecall(engine: Engine, agreement: Agreement, failure: Explanation): void {
  const event = { name: 'amendment_recall_failed', body: { failure } };
  recordChange(engine, agreement, { subject: SUBJECT, from: 'pending', to: 'failed', event });
}

/** The documents show both spellings (docs/provider.md#differences), so the recalls of an agreement alternate between them. */
function recallEvent({ amendments }: Agreement): string {
  const before = amendments.filter(({ state }) => state === 'recalled').length;
  return before % 2 === 0 ? 'amended_recalled' : 'amendment_recalled';
}
