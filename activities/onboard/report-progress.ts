import { isFound } from '../../delivery/open.js';
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
      isFound(workflow.getHandle(workflowId).signal(progressReports, report)),
    );
    const found = await Promise.all(sent);
    return to.filter((_, index) => found[index] !== true);
  };
