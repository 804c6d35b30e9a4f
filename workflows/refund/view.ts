// A refund for callers, and its page in Temporal's UI.
import { REFUND_LIFECYCLE, type RefundSnapshot } from '../../domain/refund/lifecycle.js';
import { requestedInWords, readableReason, type Published } from '../engine/publish.js';
import { REFUND_STATE } from '../contracts/search-attributes.js';
import { paymentWorkflowId } from '../contracts/signals.js';
import { factNotes, publishedResource, resourceView, sentNote } from '../resource/view.js';
import { newRefund, type RefundState } from './state.js';

/** Its type is that of all views of a refund (`RefundView`). The answer's schema describes the fields. */
export function viewOf(state: RefundState) {
  const view = resourceView(REFUND_LIFECYCLE, state, state.requestedAt);
  const { requestedAt, requestedBy, submission, failure } = state;
  /** For an adopted refund, only the fields that the provider returns. */
  const order: RefundSnapshot['order'] | undefined = state.order;
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

/** The view of a new refund. The API answers the request with it, before the workflow runs. */
export const firstView = (...requested: Parameters<typeof newRefund>) => viewOf(newRefund(...requested));

export function published(state: RefundState): Published {
  const { order, requestedAt, requestedBy, submissions, failure, state: viewState } = viewOf(state);
  const { original_payment_uid: paymentUid, refund_payment: { amount } = {} } = order ?? {};
  const of = paymentUid === undefined ? 'an unknown payment' : paymentWorkflowId(paymentUid);
  return publishedResource('refund', state, viewState, {
    own: [{ key: REFUND_STATE, value: viewState }],
    notes: [
      `${amount ?? 'an unknown number of'} cents of ${of}, ${requestedInWords(requestedAt, requestedBy)}`,
      sentNote(submissions),
      ...(failure === undefined ? [] : [readableReason(failure)]),
      ...factNotes(state.facts),
    ],
  });
}
