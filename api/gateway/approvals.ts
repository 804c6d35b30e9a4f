// Requests and gives approvals of dangerous operations.
import { AWAITING, AWAITING_SINCE } from '../../workflows/contracts/search-attributes.js';
import {
  APPROVAL_WORKFLOW,
  approvalWorkflowId,
  approve,
  requestApproval,
} from '../../workflows/approval/contract.js';
import type { Approval, ApprovalInput, Requested } from '../../workflows/approval/contract.js';
import type { Calls } from './temporal/calls.js';
import { refusalIn, refusedUpdate } from './temporal/refusals.js';
import { updateOpen, updateWithStart } from './temporal/updates.js';

interface ApprovalsGateway {
  /** A repeat with the same id returns the pending approval. */
  request: (id: string, input: ApprovalInput) => Promise<Approval>;
  /** Undefined if there is none, or its day has ended. @throws ApiError with a code of `approve` */
  approve: (id: string, given: Requested & { by: string }) => Promise<Approval | undefined>;
}

export const createApprovalsGateway = (calls: Calls): ApprovalsGateway => ({
  request: (id, input) =>
    updateWithStart(
      calls,
      {
        workflow: APPROVAL_WORKFLOW,
        workflowId: approvalWorkflowId(id),
        args: [input],
        staticSummary: `${input.requestedBy} requests ${input.operation}`,
        typedSearchAttributes: [
          { key: AWAITING, value: 'operator' },
          { key: AWAITING_SINCE, value: new Date() },
        ],
      },
      requestApproval,
      [],
    ),
  approve: (id, given) =>
    updateOpen(calls, approvalWorkflowId(id), approve, given).catch((error: unknown) => {
      if (refusalIn(error)?.code === 'approval_ended') return undefined;
      throw refusedUpdate(error, 'approval_differs');
    }),
});
