// What a payment's state asks for. The loop makes it so; nothing else decides. Pure.
import { PAYMENT_LIFECYCLE, isPaymentFinal } from '../../domain/payment/lifecycle.js';
import { isRefundUnderWay } from '../../domain/refund/lifecycle.js';
import { dueLookUp, nextResourceStep, isOver as isOverOf } from '../entity/resource/definition.js';
import { nextRetryAt } from '../../domain/payment/retry.js';
import { reportDue } from './report.js';
import { failedBeforeUntil } from './retry.js';
import { barredBy, sentBy, stateOf } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { ResourceStep, WatchedChange } from '../entity/resource/definition.js';
import type { Due } from './report.js';
import type { State } from './state.js';

export type Step =
  | ResourceStep
  | { do: 'await_lifting' | 'ask_agreement' | 'await_agreement' }
  | ({ do: 'await_settlement' } & WatchedChange)
  | { do: 'await_last_moment'; until: Instant }
  | { do: 'await_refunds' }
  | { do: 'await_retry'; until: Instant }
  | ({ do: 'report' } & Due);

const PAYMENT_ENDS = { lifecycle: PAYMENT_LIFECYCLE, isFinal: isPaymentFinal };
export const isOver = (state: State): boolean => hasEnded(state) && wantsOnceEnded(state).length === 0;
const hasEnded = (state: State): boolean => isOverOf(PAYMENT_ENDS, state);

export const wants = (state: State): Step[] =>
  hasEnded(state) ? wantsOnceEnded(state) : [...ownSteps(state), ...reportOf(state)];

/** What has failed is tried again where that was asked for with it; what is paid back is waited for. */
function wantsOnceEnded(state: State): Step[] {
  const until = nextRetryAt(state);
  return [
    ...(until === undefined ? [] : [{ do: 'await_retry', until } as const]),
    ...(isRefundUnderWay(state.refunds) ? [{ do: 'await_refunds' } as const] : []),
    ...reportOf(state),
  ];
}

function reportOf(state: State): Step[] {
  const due = reportDue(state);
  return due === undefined ? [] : [{ do: 'report', ...due }];
}

function ownSteps(state: State): Step[] {
  const snapshotState = state.snapshotState ?? stateOf(state);
  // What shows anything else is no news for that alone.
  const snapshotStateUntil = snapshotState === 'failed' ? failedBeforeUntil(state) : undefined;
  const again = snapshotStateUntil === undefined ? {} : { snapshotStateUntil };
  const first: Step = stepUntilSent(state) ??
    dueLookUp(PAYMENT_LIFECYCLE, state) ?? {
      do: 'await_settlement',
      ladder: 'payment',
      snapshotState,
      ...again,
    };
  const isAnsweredSoon = first.do === 'submit' || first.do === 'ask_agreement' || state.isAsking === 'asked';
  if (state.submission.stage !== 'ready' || isAnsweredSoon) return [first];
  const until = sentBy(state);
  return until === undefined ? [first] : [first, { do: 'await_last_moment', until }];
}

/** What was allowed a wait ago is asked for again before it is sent; what is cancelled comes to its end, whatever it waits for. */
function stepUntilSent(state: State): Step | undefined {
  const { submission, isAsking } = state;
  if (submission.stage === 'ready' && barredBy(state) !== undefined) return { do: 'submit' };
  const step = nextResourceStep(state);
  if (step?.do !== 'submit' || submission.stage !== 'ready' || submission.hasWaited === undefined)
    return step;
  if (submission.isStopped === true) return { do: 'await_lifting' };
  return { do: isAsking === undefined ? 'ask_agreement' : 'await_agreement' };
}
