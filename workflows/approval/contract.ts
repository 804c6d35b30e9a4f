// The messages and types of an approval: one principal requested something dangerous, and another one must approve it within a day.
import { defineUpdate } from '@temporalio/workflow';
import type { Instant } from '../../domain/facts/fact.js';

export const APPROVAL_WORKFLOW = 'approval';
export const approvalWorkflowId = (id: string): string => `approval/${id}`;

/** What was requested. The approver sends the same request again, so it is compared and not stored. */
export interface Requested {
  /** The operationId of the route. */
  operation: string;
  /** The path of the request. */
  target: string;
  /** The hash of its body. */
  digest: string;
}

export interface ApprovalInput extends Requested {
  requestedBy: string;
}

export interface Approval {
  requestedBy: string;
  expiresAt: Instant;
}

/** Returns the pending approval. */
export const requestApproval = defineUpdate<Approval>('requestApproval');
/**
 * Approves the request. A repeat by the same approver is allowed for ten minutes, because the operation may have failed. Refused with the
 * types `approval_of_requester`, `approval_differs`, `approval_used` and `approval_ended`.
 */
export const approve = defineUpdate<Approval, [Requested & { by: string }]>('approve');
