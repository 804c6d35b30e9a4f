// What a batch asks for, and what each step is: it waits for its rows, and has its runs begin theirs one after the other.
import { ROWS_DIRECTED, rowsWorkflowId } from '../entity/signals.js';
import { rule } from '../entity/engine/step.js';
import * as states from './state.js';
import { published } from './view.js';
import type { Course } from '../../domain/batch/rows.js';
import type { EntityDefinition } from '../entity/engine/reconcile.js';
import type { StepRules } from '../entity/engine/step.js';
import type { State } from './state.js';

/** The API hands them over within seconds; one that died meanwhile is asked again by its caller. */
const RECEIVED_WITHIN_MS = 60 * 60 * 1000;

export type Step =
  | { do: 'receive' }
  | { do: 'direct'; n: number; course: Course }
  | { do: 'await_rows' }
  | { do: 'await_resumption' };

export const STEPS: StepRules<State, Step> = {
  receive: rule<State, Extract<Step, { do: 'receive' }>, void>({
    lane: 'clock',
    awaiting: 'rows',
    run: (_step, _read, { sleep }) => sleep(RECEIVED_WITHIN_MS, 'until its rows have to be there'),
    done: states.withoutRows,
  }),
  direct: rule<State, Extract<Step, { do: 'direct' }>, boolean>({
    lane: 'command',
    awaiting: 'rows',
    run: ({ n, course }, read, { signal }) =>
      signal({ workflowId: rowsWorkflowId(read().id, n), signal: ROWS_DIRECTED, arg: { course } }),
    done: (state, isHeard, { step, now }) => states.withDirected(state, step, isHeard, now),
  }),
  await_rows: { lane: 'learn', awaiting: 'rows' },
  await_resumption: { lane: 'learn', awaiting: 'operator' },
};

function desiredSteps(state: State): Step[] {
  if (states.isOver(state)) return [];
  if (state.isReceived !== true && state.isIncomplete !== true) return [{ do: 'receive' }];
  const due = states.directionDue(state);
  if (due !== undefined) return [{ do: 'direct', ...due }];
  return [{ do: state.course === 'paused' ? 'await_resumption' : 'await_rows' }];
}

export const BATCH: EntityDefinition<State, Step> = {
  rules: STEPS,
  desiredSteps,
  isOver: states.isOver,
  publish: published,
};
