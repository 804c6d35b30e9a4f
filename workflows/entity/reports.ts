// How a story reports to one that waits for it: asked once (`reportTo`), it signals once, as soon as there is news. That may be lost with the
// story that asked, or come twice: who waits looks for itself now and then, and takes a report for no more than a reason to look. Pure.
import { wordOf } from '../../domain/onboarding.js';
import { rule } from './step.js';
import { STORY_REPORTS } from './talk.js';
import type { AwaitingWhat } from '../../domain/legible.js';
import type { StepRule } from './step.js';
import type { Reporter } from './talk.js';

export interface Reporting {
  reportsTo?: Reporter[] | undefined;
}

/** Of more that ask, the oldest look for themselves. */
const MOST = 5;

/** Asked anew, it is told of what is news to it by then. */
export const withReporter = <State extends Reporting>(state: State, reporter: Reporter): State => ({
  ...state,
  reportsTo: [
    ...(state.reportsTo ?? []).filter(({ workflowId }) => workflowId !== reporter.workflowId),
    reporter,
  ].slice(-MOST),
});

export interface ReportStep {
  do: 'report_on';
  to: string[];
}

/** @param view what callers read of it, and what it waits for. */
export function reportSteps(
  { reportsTo = [] }: Reporting,
  view: { state: string; waits: AwaitingWhat },
): ReportStep[] {
  const word = wordOf(view);
  const to = reportsTo.filter(({ wordRead }) => wordRead !== word).map(({ workflowId }) => workflowId);
  return to.length === 0 ? [] : [{ do: 'report_on', to }];
}

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
        await signal({ workflowId, signal: STORY_REPORTS, arg: { workflowId: own(read()) } });
    },
    done: (state, _outcome, { step: { to } }) => {
      const left = state.reportsTo?.filter(({ workflowId }) => !to.includes(workflowId)) ?? [];
      return { ...state, reportsTo: left.length === 0 ? undefined : left };
    },
  });
