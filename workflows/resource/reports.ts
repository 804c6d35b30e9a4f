// Reports of a resource to the onboardings that wait for it. Each report carries the current reading. Pure.
import { wordOf, type PartName } from '../../domain/onboarding/steps.js';
import type { Reading } from '../../domain/onboarding/reading.js';
import type { Reporter } from '../contracts/signals.js';

export interface Reporting {
  reportsTo?: Reporter[] | undefined;
}

/** How many workflows one local activity signals. It has to be quick. */
const AT_ONCE = 20;

/** The initial reporting state. @param workflowId the workflow that started this one and waits for it. */
export const reportingTo = (workflowId: string | undefined): Reporting =>
  workflowId === undefined ? {} : { reportsTo: [{ workflowId, wordRead: wordOf('agreement', undefined) }] };

/** Adds a waiting workflow. If it is already in the list, its new entry replaces the old one. */
export const addReporter = <State extends Reporting>(state: State, reporter: Reporter): State => ({
  ...state,
  reportsTo: [
    ...(state.reportsTo ?? []).filter(({ workflowId }) => workflowId !== reporter.workflowId),
    reporter,
  ],
});

export interface ReportStep {
  do: 'report_on';
  to: string[];
  word: string;
}

/** The report that is due: to the waiting workflows that do not have the newest word yet. */
export function reportSteps<State extends Reporting>(
  state: State,
  part: PartName,
  readingOf: (state: State) => Reading,
): ReportStep[] {
  const { reportsTo = [] } = state;
  if (reportsTo.length === 0) return [];
  const word = wordOf(part, readingOf(state));
  const to = reportsTo.filter(({ wordRead }) => wordRead !== word).map(({ workflowId }) => workflowId);
  return to.length === 0 ? [] : [{ do: 'report_on', to: to.slice(0, AT_ONCE), word }];
}

/** Records sent reports. @param closed the workflows that have ended. They are removed from the list. */
export function applyReports<State extends Reporting>(
  state: State,
  { to, word }: ReportStep,
  closed: readonly string[],
): State {
  const left = (state.reportsTo ?? [])
    .filter(({ workflowId }) => !closed.includes(workflowId))
    .map((one) => (to.includes(one.workflowId) ? { ...one, wordRead: word } : one));
  return { ...state, reportsTo: left.length === 0 ? undefined : left };
}
