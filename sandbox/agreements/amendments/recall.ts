// Taking an amendment back before the payer has decided: a race, which the payer may win.
import type { Engine } from '../../engine.js';
import type { Explanation, Script } from '../agreement-action.schema.js';
import { tellChange } from '../agreement-events.js';
import { SUBMISSION_MS } from '../agreement-life.js';
import type { Agreement } from '../agreement.schema.js';
import { FAILURES } from '../failures.js';
import { applyAmendment, moveAmendment, type OfAgreement } from './amendment-states.js';
import { amendmentKey } from './find-amendment.js';

const SUBJECT = 'payto_agreement_amendment_recall';

export function beginRecall(
  engine: Engine,
  { agreement, amendment }: OfAgreement,
  { simulate, delay }: Script,
): void {
  amendment.recall = simulate;
  tellChange(engine, agreement, { subject: SUBJECT, from: null, to: 'pending' });
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
    tellChange(engine, agreement, { subject: SUBJECT, from: 'pending', to: 'completed' });
    return;
  }
  failRecall(engine, agreement, FAILURES.amendment_is_decided);
}

function failRecall(engine: Engine, agreement: Agreement, failure: Explanation): void {
  const event = { name: 'amendment_recall_failed', body: { failure } };
  tellChange(engine, agreement, { subject: SUBJECT, from: 'pending', to: 'failed', event });
}

/** Both spellings are met (facts 17): an agreement's first recall has the interface's, the next the other, and so on. */
function recallEvent({ amendments }: Agreement): string {
  const before = amendments.filter(({ state }) => state === 'recalled').length;
  return before % 2 === 0 ? 'amended_recalled' : 'amendment_recalled';
}
