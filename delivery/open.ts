import type { WorkflowExecutionInfo } from '@temporalio/client';

/** Whether a run still accepts signals. A paused run stores them. */
export const isOpen = ({ status }: Pick<WorkflowExecutionInfo, 'status'>): boolean =>
  status.name === 'RUNNING' || status.name === 'PAUSED';

/** The same condition as a visibility query. */
export const IS_OPEN = "ExecutionStatus IN ('Running', 'Paused')";
