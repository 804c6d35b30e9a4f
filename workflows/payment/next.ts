// What a payment's state asks for. The loop makes it so; nothing else decides. Pure.
import { PAYMENT_LIFE, isPaymentFinal } from '../../domain/payment.js';
import { isRefundUnderWay } from '../../domain/refund.js';
import { dueLookUp, followedStep, isOver as isOverOf } from '../entity/followed.js';
import { reportDue } from './report.js';
import { barredBy, sentBy, stateOf } from './state.js';
import type { Instant } from '../../domain/fact.js';
import type { FollowedStep, Watched } from '../entity/followed.js';
import type { Due } from './report.js';
import type { State } from './state.js';

export type Step =
  | FollowedStep
  | { do: 'ask_agreement' | 'await_agreement' }
  | ({ do: 'await_settlement' } & Watched)
  | { do: 'await_last_moment'; until: Instant }
  | { do: 'await_refunds' }
  | ({ do: 'report' } & Due);

const PAYMENT_ENDS = { life: PAYMENT_LIFE, isFinal: isPaymentFinal };
export const isOver = (state: State): boolean =>
  hasEnded(state) && reportDue(state) === undefined && !isRefundUnderWay(state.refunds);
const hasEnded = (state: State): boolean => isOverOf(PAYMENT_ENDS, state);

export function wants(state: State): Step[] {
  const due = reportDue(state);
  const report: Step[] = due === undefined ? [] : [{ do: 'report', ...due }];
  if (!hasEnded(state)) return [...ownSteps(state), ...report];
  return isRefundUnderWay(state.refunds) ? [{ do: 'await_refunds' }, ...report] : report;
}

function ownSteps(state: State): Step[] {
  const snapshotState = state.snapshotState ?? stateOf(state);
  const first: Step = stepUntilSent(state) ??
    dueLookUp(PAYMENT_LIFE, state) ?? { do: 'await_settlement', ladder: 'payment', snapshotState };
  const isAnsweredSoon = first.do === 'submit' || first.do === 'ask_agreement' || state.isAsking === 'asked';
  if (state.submission.stage !== 'ready' || isAnsweredSoon) return [first];
  const until = sentBy(state);
  return until === undefined ? [first] : [first, { do: 'await_last_moment', until }];
}

/** What was allowed a wait ago is asked for again before it is sent; what is called off comes to its end, whatever it waits for. */
function stepUntilSent(state: State): Step | undefined {
  const { submission, isAsking } = state;
  if (submission.stage === 'ready' && barredBy(state) !== undefined) return { do: 'submit' };
  const step = followedStep(state);
  if (step?.do !== 'submit' || submission.stage !== 'ready' || submission.hasWaited === undefined)
    return step;
  return { do: isAsking === undefined ? 'ask_agreement' : 'await_agreement' };
}
