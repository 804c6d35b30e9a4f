// A refund for callers, and its page in Temporal's UI.
import { happenedAt, inOrder } from '../../domain/facts/fact.js';
import { REFUND_LIFECYCLE } from '../../domain/refund/lifecycle.js';
import { requestedInWords, readable, readableReason } from '../engine/publish.js';
import { REFUND_STATE, REQUESTED_AT } from '../contracts/search-attributes.js';
import { paymentWorkflowId } from '../contracts/signals.js';
import { publishedResource, resourceView } from '../resource/view.js';
import type { Published } from '../engine/publish.js';
import type { RefundView } from './contract.js';
import type { RefundState } from './state.js';

export function viewOf(state: RefundState): RefundView {
  const view = resourceView(REFUND_LIFECYCLE, state, state.requestedAt);
  const { order, requestedAt, requestedBy, submission, failure } = state;
  const isUndone = view.state === 'failed' || view.state === 'unresolved';
  return {
    ...view,
    order,
    requestedAt,
    requestedBy,
    submissions: submission.count,
    failure: isUndone ? failure : undefined,
  };
}

export const published = (state: RefundState): Published =>
  publishedResource({ noun: 'refund', lifecycle: REFUND_LIFECYCLE }, state, (viewState) => ({
    own: [
      { key: REFUND_STATE, value: viewState },
      { key: REQUESTED_AT, value: new Date(state.requestedAt) },
    ],
    notes: notesOf(viewOf(state), state),
  }));

function notesOf(
  { order, submissions, failure, requestedAt, requestedBy }: RefundView,
  { facts }: RefundState,
): string[] {
  const { original_payment_uid: paymentUid, refund_payment: { amount } = {} } = order ?? {};
  const of = paymentUid === undefined ? 'an unknown payment' : paymentWorkflowId(paymentUid);
  return [
    `${amount ?? 'an unknown number of'} cents of ${of}, ${requestedInWords(requestedAt, requestedBy)}`,
    `sent to the provider ${submissions === 1 ? 'once' : `${submissions} times`}, always under this uid`,
    ...(failure === undefined ? [] : [readableReason(failure)]),
    ...inOrder(facts).map(
      (fact) => `${fact.state ?? fact.type}, ${readable(happenedAt(fact))}, source: ${fact.source}`,
    ),
  ];
}
