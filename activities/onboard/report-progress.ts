import { WorkflowNotFoundError } from '@temporalio/common';
import { progressReports } from '../../workflows/onboarding/contract.js';
import type { ProgressReport } from '../../workflows/onboarding/contract.js';
import type { Dependencies } from '../dependencies.js';

export interface ReportProgressArgs {
  /** Ids of the workflows that wait for the part. */
  to: string[];
  report: ProgressReport;
}

/** Sends a report to each workflow that waits for the part. @returns the ids of those that have ended. */
export const reportProgressActivity =
  ({ temporal: { workflow } }: Pick<Dependencies, 'temporal'>) =>
  async ({ to, report }: ReportProgressArgs): Promise<string[]> => {
    const sent = to.map((workflowId) =>
      workflow
        .getHandle(workflowId)
        .signal(progressReports, report)
        .then(() => [])
        .catch((error: unknown) => {
          if (error instanceof WorkflowNotFoundError) return [workflowId];
          throw error;
        }),
    );
    return (await Promise.all(sent)).flat();
  };
