// A payment for callers, and its page in Temporal's UI.
import { PAYMENT_LIFECYCLE, type PaymentFailure } from '../../domain/payment/lifecycle.js';
import { AGREEMENT_UID, PAYMENT_STATE } from '../contracts/search-attributes.js';
import { requestedInWords, readable, readableReason, type Published } from '../engine/publish.js';
import { agreementWorkflowId, refundWorkflowId } from '../contracts/signals.js';
import { factNotes, publishedResource, resourceView, sentNote } from '../resource/view.js';
import { attemptsOf, type Attempt } from '../../domain/payment/attempts.js';
import { submissionsOf } from './retry.js';
import { newPayment, sendBefore, type PaymentState } from './state.js';

/** Its type is that of all views of a payment (`PaymentView`). The answer's schema describes the fields. */
export function viewOf(state: PaymentState) {
  const { order, requestedAt } = state;
  const view = resourceView(PAYMENT_LIFECYCLE, state, requestedAt);
  return {
    ...view,
    order: order && { ...order, ...(state.creditorNow !== undefined && { creditor: state.creditorNow }) },
    requestedAt,
    requestedBy: state.requestedBy,
    debtor: state.debtor,
    handling: state.handling,
    submitBefore: state.adopted === true ? undefined : sendBefore(state),
    judgements: state.judgements,
    refunds: state.refunds,
    submissions: submissionsOf(state),
    attempts: attemptsOf(state).map((attempt, index, { length }): Attempt =>
      index === length - 1 && state.submission.count > 0 ? { ...attempt, isSubmitted: true } : attempt,
    ),
    failure: failureOf(state, view),
  };
}

/** The view of a new payment. The API answers the request with it, before the workflow runs. */
export const firstView = (...requested: Parameters<typeof newPayment>) => viewOf(newPayment(...requested));

export function published(state: PaymentState): Published {
  const { order, requestedAt, requestedBy, submissions, failure, state: viewState } = viewOf(state);
  const amount =
    order === undefined
      ? 'an unknown amount'
      : `${order.amount} cents under ${agreementWorkflowId(order.agreement_uid)}`;
  return publishedResource('payment', state, viewState, {
    own: [
      { key: PAYMENT_STATE, value: viewState },
      ...(order === undefined ? [] : [{ key: AGREEMENT_UID, value: order.agreement_uid }]),
    ],
    notes: [
      `${amount}, ${requestedInWords(requestedAt, requestedBy)}`,
      sentNote(submissions),
      ...(failure === undefined ? [] : [readableReason(failure)]),
      ...factNotes(state.facts),
      ...refundNotes(state),
    ],
  });
}

/** Why it was not paid; absent unless it is in a state of `UNPAID`. */
const failureOf = (
  state: PaymentState,
  { state: viewState }: { state: string },
): PaymentFailure | undefined => (UNPAID.has(viewState) ? state.failure : undefined);
const UNPAID: ReadonlySet<string> = new Set(['failed', 'lapsed', 'withdrawn', 'unresolved']);

const refundNotes = ({ refunds = [] }: PaymentState): string[] =>
  refunds.map(
    ({ uid, amount, requestedAt, requestedBy, outcome, outcomeAt }) =>
      `refund of ${amount} cents (${refundWorkflowId(uid)}), ${requestedInWords(requestedAt, requestedBy)}: ${outcome.replace('_', ' ')}, ${readable(outcomeAt)}`,
  );
