// The step that stores the waiting changes. The loop runs it in a lane of its own, so nothing else waits for it.
import { CallFailed } from '../engine/runtime.js';
import { isRecorded, markStored, nextBatch, recordRow, storedIn } from './recording.js';
import type { RecordBatch } from '../../../domain/records/batch.js';
import type { Calls } from '../engine/runtime.js';
import type { StepRule } from '../engine/step.js';
import type { RecordDefinition, Recorded, Stored } from './recording.js';

/** Always equal, so a change that arrives during the step does not cancel it. The next step stores that change. */
export interface RecordStep {
  do: 'record';
}

export const recordSteps = (state: Recorded): RecordStep[] => (isRecorded(state) ? [] : [{ do: 'record' }]);

export const recordRule = <State extends Recorded>(
  definition: RecordDefinition<State>,
): StepRule<State, RecordStep, Stored> => ({
  lane: 'record',
  awaiting: 'nothing',
  // The steps that start in the same pass have changed the state since the row got its version.
  begin: (state, { now }) => recordRow(definition, state, now),
  run: (_step, read, { call }) => store(call, nextBatch(definition, read())),
  done: (state, stored) => markStored(state, stored),
});

/** Stores a batch within the workflow task. If that fails, an activity retries until the database has it, without writing events. */
export async function store(call: Pick<Calls, 'recordNow' | 'record'>, batch: RecordBatch): Promise<Stored> {
  try {
    await call.recordNow(batch);
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    await call.record(batch);
  }
  return storedIn(batch);
}
