// The step that reports to waiting onboardings. Separate from reports.ts because contracts import that file.
import { applyReports, type ReportStep, type Reporting } from './reports.js';
import { rule, type StepRule } from '../engine/step.js';
import type { Reading } from '../../domain/onboarding/reading.js';
import type { PartName } from '../../domain/onboarding/steps.js';

export const reportRule = <State extends Reporting & { uid: string }>(
  part: PartName,
  readingOf: (state: State) => Reading,
): StepRule<State, ReportStep> =>
  rule<State, ReportStep, string[]>({
    lane: 'report',
    awaiting: 'nothing',
    run: ({ to }, read, { call }) =>
      call.reportProgress({ to, report: { part, uid: read().uid, reading: readingOf(read()) } }),
    done: (state, closed, { step }) => applyReports(state, step, closed),
  });
