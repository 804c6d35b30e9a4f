// The messages and types of a refund workflow.
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import { eventMessagesOf } from '../contracts/every-workflow.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { RefundOrder } from '../../domain/refund/request.schema.js';
import type { Carried } from '../contracts/upgrade.js';
import type { RefundState } from './state.js';
import type { viewOf } from './view.js';

export { lookUpNow, resolveAttention } from '../contracts/every-workflow.js';
export { REFUND_WORKFLOW, refundWorkflowId } from '../contracts/signals.js';

export interface RefundInput {
  uid: string;
  /** The connection that it belongs to; absent for an adopted refund. */
  connectionId?: string | undefined;
  /** The refund to submit; absent when adopting. */
  order?: RefundOrder | undefined;
  /** When its payment admitted it; absent when adopting. */
  requestedAt?: Instant | undefined;
  requestedBy?: string | undefined;
  /** The state of the previous run, set by continue-as-new, and by an event after the end. */
  carried?: Carried<RefundState> | undefined;
  /** The previous run had ended. */
  isReopened?: boolean | undefined;
  /** An event or a command has started the run without a state, so it reads its record first. */
  readsRecord?: boolean | undefined;
  /** The latest run has left no state. */
  isLost?: boolean | undefined;
  /** The records were away when it was requested, so another one may have had its uid before (workflows/resource/unchecked.ts). */
  isUnchecked?: boolean | undefined;
}

export type RefundView = ReturnType<typeof viewOf>;

/** Requests the refund of a run that only events have started. The answer shows which payment has the uid now. */
export const claimRefund = defineUpdate<RefundView, [RefundInput]>('claimRefund');
export const getRefund = defineQuery<RefundView>('getRefund');

const shared = eventMessagesOf('refund');
export const { fact: refundFact } = shared;

export const messages = {
  ...shared,
  claim: claimRefund,
  view: getRefund,
};
