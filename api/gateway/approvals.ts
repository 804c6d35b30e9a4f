// Requests and gives approvals of dangerous operations.
import { WithStartWorkflowOperation } from '@temporalio/client';
import { AWAITING, AWAITING_SINCE } from '../../workflows/contracts/search-attributes.js';
import {
  APPROVAL_WORKFLOW,
  approvalWorkflowId,
  approve,
  requestApproval,
} from '../../workflows/approval/contract.js';
import type { Approval, ApprovalInput, Requested } from '../../workflows/approval/contract.js';
import { noneIfNotFound } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';
import { refusalIn, refusedUpdate } from './temporal/refusals.js';

const COMMAND_MS = 10_000;

export interface ApprovalsGateway {
  /** A repeat with the same id returns the pending approval. */
  request: (id: string, input: ApprovalInput) => Promise<Approval>;
  /** Undefined if there is none, or its day has ended. @throws ApiError with a code of `approve` */
  approve: (id: string, given: Requested & { by: string }) => Promise<Approval | undefined>;
}

export function createApprovalsGateway(calls: Calls): ApprovalsGateway {
  return {
    request: (id, input) => {
      const startWorkflowOperation = new WithStartWorkflowOperation(APPROVAL_WORKFLOW, {
        workflowId: approvalWorkflowId(id),
        taskQueue: calls.taskQueue,
        args: [input],
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        staticSummary: `${input.requestedBy} requests ${input.operation}`,
        typedSearchAttributes: [
          { key: AWAITING, value: 'operator' },
          { key: AWAITING_SINCE, value: new Date() },
        ],
      });
      return calls.long(COMMAND_MS, () =>
        calls.client.workflow.executeUpdateWithStart(requestApproval, { startWorkflowOperation }),
      );
    },
    approve: async (id, given) => {
      try {
        return await calls.update(approvalWorkflowId(id), COMMAND_MS, (handle) =>
          handle.executeUpdate(approve, { args: [given] }),
        );
      } catch (error) {
        if (refusalIn(error)?.code === 'approval_ended') return undefined;
        return noneIfNotFound(refusedUpdate(error, 'approval_differs'));
      }
    },
  };
}
