// Whether a run can still be signalled.
import type { WorkflowExecutionInfo } from '@temporalio/client';

/** One that an operator has paused keeps what it is sent. */
export const isOpen = ({ status }: Pick<WorkflowExecutionInfo, 'status'>): boolean =>
  status.name === 'RUNNING' || status.name === 'PAUSED';

/** The same in a query of Temporal's lists. */
export const IS_OPEN = "ExecutionStatus IN ('Running', 'Paused')";
