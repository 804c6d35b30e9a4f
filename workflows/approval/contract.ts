// The messages and types of an approval: one principal requests something dangerous, another one approves it, and the first one uses it once.
import { defineUpdate } from '@temporalio/workflow';
import type { Instant } from '../../domain/facts/fact.js';

export const APPROVAL_WORKFLOW = 'approval';
export const approvalWorkflowId = (id: string): string => `approval/${id}`;

/** What was requested. Each later request must be the same, so it is compared and not stored. */
export interface Requested {
  /** The operationId of the route. */
  operation: string;
  /** The path of the request. */
  target: string;
  /** The hash of its body, and of what it was about at that time. */
  digest: string;
}

export interface ApprovalInput extends Requested {
  requestedBy: string;
}

export interface Approval {
  requestedBy: string;
  requestedAt: Instant;
  expiresAt: Instant;
  /** The principal of the key that approved it. Absent: not approved yet. */
  approvedBy?: string | undefined;
}

export interface GivenApproval extends Approval {
  approvedBy: string;
}

/** The same request, and the principal of the key that sent it. */
export interface Presented extends Requested {
  by: string;
  /** When the approval was requested. The same request after a use is another approval. */
  requestedAt: Instant;
}

/** Returns the pending approval. */
export const requestApproval = defineUpdate<Approval>('requestApproval');
/**
 * Approves the request. A repeat by the same approver changes nothing. Refused with the types `approval_of_requester`, `approval_differs`,
 * `approval_used` and `approval_ended`.
 */
export const approve = defineUpdate<GivenApproval, [Presented]>('approve');
/**
 * Uses the approval. Only the principal that requested it may do so, and only once. Refused with the types `approval_of_requester` (it is not
 * approved yet), `approval_differs`, `approval_used` and `approval_ended`.
 */
export const useApproval = defineUpdate<GivenApproval, [Presented]>('useApproval');
