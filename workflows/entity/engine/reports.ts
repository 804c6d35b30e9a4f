// How a workflow reports to one that waits for it: asked once (`reportTo`), it signals once, as soon as there is news. That may be lost with the
// workflow that asked, or come twice: who waits looks for itself now and then, and takes a report for no more than a reason to look. Pure.
import { wordOf } from '../../../domain/onboarding/steps.js';
import type { AwaitingWhat } from '../../../domain/attention/awaiting.js';
import type { Reporter } from '../signals.js';

export interface Reporting {
  reportsTo?: Reporter[] | undefined;
}

/** Of more that ask, the oldest look for themselves. */
const MOST = 5;

/** Asked anew, it receives what is news to it by then. */
export const addReporter = <State extends Reporting>(state: State, reporter: Reporter): State => ({
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
