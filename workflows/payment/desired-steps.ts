// The desired steps of a payment as a function of its state. Pure.
import { PAYMENT_LIFECYCLE, isPaymentFinal } from '../../domain/payment/lifecycle.js';
import { isRefundUnderWay } from '../../domain/refund/lifecycle.js';
import { dueLookUp, isOver as isOverOf, type WatchedChange } from '../resource/definition.js';
import { nextResourceStep, type ResourceStep } from '../resource/rules.js';
import { stayOpenSteps } from '../resource/reopened.js';
import { nextRetryAt } from '../../domain/payment/retry.js';
import { readPayment, type Reading } from '../../domain/onboarding/reading.js';
import { reportSteps, type ReportStep } from '../resource/reports.js';
import { reportDue, type DueReport } from './report.js';
import { failedBeforeUntil, submissionsOf } from './retry.js';
import { isUnproven } from '../resource/others.js';
import { blockedBy, sendBefore, stateOf, type PaymentState } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { PaymentWatch } from '../../activities/resource/calls.js';

export type PaymentStep =
  | ResourceStep
  | { do: 'await_resumption' | 'ask_agreement' }
  | ({ do: 'await_settlement' } & WatchedChange & Pick<PaymentWatch, 'snapshotStateUntil'>)
  | { do: 'await_last_moment'; until: Instant }
  | { do: 'await_refunds' }
  | { do: 'list_refunds' }
  | { do: 'await_retry'; until: Instant }
  | ({ do: 'report' } & DueReport)
  | ReportStep;

const PAYMENT_ENDS = { lifecycle: PAYMENT_LIFECYCLE, isFinal: isPaymentFinal };
/** Whether the run may end: the state is final, no refund is pending, and the agreement has the report. */
export const isOver = (state: PaymentState): boolean => hasEnded(state) && stepsOnceEnded(state).length === 0;
const hasEnded = (state: PaymentState): boolean => isOverOf(PAYMENT_ENDS, state) && !isUnproven(state);

/** The reading that is reported to onboardings. */
export const readingOf = (state: PaymentState): Reading =>
  readPayment({
    state: stateOf(state),
    awaiting: state.awaiting,
    failure: state.failure,
    submissions: submissionsOf(state),
  });

/** At most one step in each lane. */
export const desiredSteps = (state: PaymentState): PaymentStep[] =>
  hasEnded(state) ? stepsOnceEnded(state) : [...ownSteps(state), ...reportOf(state)];

/** A failed payment is retried if its request includes a retry policy. Pending refunds are awaited. */
function stepsOnceEnded(state: PaymentState): PaymentStep[] {
  const until = nextRetryAt(state);
  const steps: PaymentStep[] = [
    ...listSteps(state),
    ...(until === undefined ? [] : [{ do: 'await_retry', until } as const]),
    ...(isRefundUnderWay(state.refunds) ? [{ do: 'await_refunds' } as const] : []),
    ...reportOf(state),
  ];
  return steps.length > 0 ? steps : stayOpenSteps(state);
}

function reportOf(state: PaymentState): PaymentStep[] {
  const due = reportDue(state);
  const toOnboardings = reportSteps(state, 'payment', readingOf);
  return due === undefined ? toOnboardings : [{ do: 'report', ...due }, ...toOnboardings];
}

/** Once the provider has shown the payment. */
const listSteps = ({ mustListRefunds, submission, blocked }: PaymentState): PaymentStep[] =>
  mustListRefunds === true && submission.stage === 'open' && blocked === undefined
    ? [{ do: 'list_refunds' }]
    : [];

function ownSteps(state: PaymentState): PaymentStep[] {
  const snapshotState = state.snapshotState ?? stateOf(state);
  // Only `failed` may belong to the previous attempt. After this time, the same `failed` is news.
  const snapshotStateUntil = snapshotState === 'failed' ? failedBeforeUntil(state) : undefined;
  const again = snapshotStateUntil === undefined ? {} : { snapshotStateUntil };
  const first: PaymentStep = stepUntilSent(state) ??
    dueLookUp(PAYMENT_LIFECYCLE, state) ?? {
      do: 'await_settlement',
      pollIntervals: 'payment',
      snapshotState,
      ...again,
    };
  const until = sendBefore(state);
  const isWaiting = state.submission.stage === 'ready' && first.do !== 'submit';
  return isWaiting && until !== undefined ? [first, { do: 'await_last_moment', until }] : [first];
}

/** After a wait, the agreement must allow the payment again. A withdrawn or forbidden payment goes to `submit`, which ends it. */
function stepUntilSent(state: PaymentState): PaymentStep | undefined {
  const { submission } = state;
  if (submission.stage === 'ready' && blockedBy(state) !== undefined) return { do: 'submit' };
  const step = nextResourceStep(state);
  if (step?.do !== 'submit' || submission.stage !== 'ready' || submission.hasWaited === undefined)
    return step;
  return { do: submission.isStopped === true ? 'await_resumption' : 'ask_agreement' };
}
