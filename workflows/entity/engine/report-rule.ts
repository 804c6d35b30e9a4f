// The step by which a workflow reports to those that have asked it to (workflows/entity/engine/reports.ts). Apart from what its state keeps, which contracts know.
import { rule } from './step.js';
import { PROGRESS_REPORTS } from '../signals.js';
import type { ReportStep, Reporting } from './reports.js';
import type { StepRule } from './step.js';

/** @param own the id of the workflow that reports. */
export const reportRule = <State extends Reporting>(
  own: (state: State) => string,
): StepRule<State, ReportStep> =>
  rule<State, ReportStep, void>({
    lane: 'report',
    awaiting: 'nothing',
    run: async ({ to }, read, { signal }) => {
      // One that is over needs no report.
      for (const workflowId of to)
        await signal({ workflowId, signal: PROGRESS_REPORTS, arg: { workflowId: own(read()) } });
    },
    done: (state, _outcome, { step: { to } }) => {
      const left = state.reportsTo?.filter(({ workflowId }) => !to.includes(workflowId)) ?? [];
      return { ...state, reportsTo: left.length === 0 ? undefined : left };
    },
  });
