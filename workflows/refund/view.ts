// A refund for callers, and its page in Temporal's UI.
import { REFUND_LIFECYCLE } from '../../domain/refund/lifecycle.js';
import { requestedInWords, readableReason, type Published } from '../engine/publish.js';
import { REFUND_STATE, REQUESTED_AT } from '../contracts/search-attributes.js';
import { paymentWorkflowId } from '../contracts/signals.js';
import { factNotes, publishedResource, resourceView, sentNote } from '../resource/view.js';
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

export function published(state: RefundState): Published {
  const { order, requestedAt, requestedBy, submissions, failure, state: viewState } = viewOf(state);
  const { original_payment_uid: paymentUid, refund_payment: { amount } = {} } = order ?? {};
  const of = paymentUid === undefined ? 'an unknown payment' : paymentWorkflowId(paymentUid);
  return publishedResource('refund', state, viewState, {
    own: [
      { key: REFUND_STATE, value: viewState },
      { key: REQUESTED_AT, value: new Date(requestedAt) },
    ],
    notes: [
      `${amount ?? 'an unknown number of'} cents of ${of}, ${requestedInWords(requestedAt, requestedBy)}`,
      sentNote(submissions),
      ...(failure === undefined ? [] : [readableReason(failure)]),
      ...factNotes(state.facts),
    ],
  });
}
