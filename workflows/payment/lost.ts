// A payment whose last run has left no state. Plain JSON and pure.
import { lostState } from '../resource/lost.js';
import { newPayment, type PaymentState } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { PaymentView } from './contract.js';

/** From the view in its row. A retry by its policy would be a submission of its own accord, so there is none. */
export function lostPayment(
  view: PaymentView,
  ids: { uid: string; connectionId: string },
  now: Instant,
): PaymentState {
  const { order, handling, requestedAt, requestedBy, debtor, judgements, refunds, attempts, failure } = view;
  const requested = newPayment({ ...ids, order, handling, requestedAt, requestedBy }, now);
  const olderAttempts = attempts.map(({ isSubmitted: _, ...attempt }) => attempt);
  const lost = lostState(requested, view, now);
  // An answer that shows only the attempt before tells nothing about the latest one.
  const again = view.state === 'retrying' ? { after: view.stateSince } : undefined;
  return {
    ...lost,
    submission: { ...lost.submission, again },
    mustListRefunds: true,
    ...{ debtor, judgements, refunds, failure, olderAttempts, isStartedLate: undefined, reported: undefined },
    ...(view.submitBefore === undefined && { adopted: true as const }),
  };
}
