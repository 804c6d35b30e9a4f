// What the rows of a run ask for, and what each step is.
import { batchWorkflowId, ROWS_REPORT } from '../entity/signals.js';
import { rule } from '../entity/engine/step.js';
import * as states from './state.js';
import { published } from './view.js';
import type { RowAnswer, RowsReport } from '../../domain/batch/rows.js';
import type { EntityDefinition } from '../entity/engine/reconcile.js';
import type { StepRules } from '../entity/engine/step.js';
import type { State } from './state.js';

export type Step =
  | { do: 'begin'; places: number[] }
  | { do: 'watch'; places: number[] }
  | { do: 'report'; report: RowsReport }
  | { do: 'rest' };

const taskOf = (state: State, places: readonly number[]) => {
  const { batch, connectionId, isDryRun = false, requestedBy: by } = state;
  return { batch, connectionId, isDryRun, by, rows: states.rowsAt(state, places) };
};

export const STEPS: StepRules<State, Step> = {
  begin: rule<State, Extract<Step, { do: 'begin' }>, RowAnswer[]>({
    lane: 'command',
    awaiting: 'rows',
    uninterruptible: true,
    begin: (state, { step }) => states.withBeginning(state, step.places),
    run: ({ places }, read, { call }) => call.beginRows(taskOf(read(), places)),
    done: (state, answers, { step, now }) => states.withBegun(state, step.places, answers, now),
    failed: (state, { code }, { step, now }) => states.withUnknown(state, step.places, code, now),
  }),
  watch: rule<State, Extract<Step, { do: 'watch' }>, (RowAnswer | null)[]>({
    lane: 'learn',
    awaiting: 'rows',
    run: ({ places }, read, { call }) => call.watchRows(taskOf(read(), places)),
    done: (state, answers, { step, now }) => states.withAnswers(state, step.places, answers, now),
    failed: (state, { code }, { step, now }) => states.withUnknown(state, step.places, code, now),
  }),
  report: rule<State, Extract<Step, { do: 'report' }>, boolean>({
    lane: 'answer',
    awaiting: 'batch',
    run: ({ report }, read, { signal }) =>
      signal({ workflowId: batchWorkflowId(read().batch), signal: ROWS_REPORT, arg: report }),
    // A batch that was ended by force hears nothing, and what its rows have begun is followed all the same.
    done: (state, _isHeard, { step }) => states.withReported(state, step.report),
  }),
  rest: { lane: 'clock', awaiting: 'batch' },
};

function desiredSteps(state: State): Step[] {
  const [toBegin, begun, report] = [
    states.nextPlaces(state),
    states.begunPlaces(state),
    states.reportDue(state),
  ];
  const steps: Step[] = [
    ...(toBegin.length === 0 ? [] : [{ do: 'begin' as const, places: toBegin }]),
    ...(begun.length === 0 ? [] : [{ do: 'watch' as const, places: begun }]),
    ...(report === undefined ? [] : [{ do: 'report' as const, report }]),
  ];
  return steps.length === 0 && !isOver(state) ? [{ do: 'rest' }] : steps;
}

const isOver = (state: State): boolean => states.areAnswered(state) && states.reportDue(state) === undefined;

export const ROWS: EntityDefinition<State, Step> = { rules: STEPS, desiredSteps, isOver, publish: published };
