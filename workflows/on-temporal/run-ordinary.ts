// Runs an ordinary workflow that has records. Its handlers replace the state, and each new state starts a round.
import { allHandlersFinished, condition, setHandler, CancellationScope } from '@temporalio/workflow';
import { raise } from '../../domain/attention/flags.js';
import { carry, getRecord, raiseFlag, recordsAway, type Carried } from '../contracts/every-workflow.js';
import { createRecorder, type Recorder } from '../engine/recorder.js';
import {
  flagBacklog,
  fullBatch,
  toCarry,
  type RecordDefinition,
  type Recorded,
} from '../engine/recording.js';
import { createPublisher, onHandOver, runProtected } from './ordinary.js';
import { RECORDING, callsIn, continueOnCurrentRelease, isLong, now } from './run.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Published } from '../engine/publish.js';
import type { Calls } from '../engine/runtime.js';

/** The handlers and the body of a run share the state. They replace it, and never change it in place. */
export interface OrdinaryRun<State> {
  state: State;
}

export interface Round {
  calls: Calls;
  /** Whether a handler or a call has replaced the state in this round. */
  isChanged: () => boolean;
}

export interface OrdinaryWorkflow<State extends Recorded, End> {
  run: OrdinaryRun<State>;
  /** Called once the recording has started, so that what messages of the first task change is recorded. */
  setHandlers: () => void;
  record: RecordDefinition<State>;
  published: (state: State) => Published;
  /** Starts each round, before the state is published. */
  prepare?: () => Promise<void> | undefined;
  /** Does the work of a round, or waits for a change. It starts all calls before it waits. The next round begins when it has ended. */
  proceed: (round: Round) => Promise<unknown>;
  /** Absent if the workflow never ends. */
  ending?: Ending<State, End>;
  /** Flags a "Request Cancellation" of Temporal's UI, which stops nothing. */
  cancelRequested?: (state: State, now: Instant) => State;
  /** The input of the next run. State its type, so that the compiler finds a missing field. */
  nextInput: (state: State, carried: Carried<State>) => object;
}

interface Ending<State, End> {
  isOver: (state: State) => boolean;
  /** An event may start the workflow again, so its record gets the state that the new run needs. */
  mayRestart?: true;
  result: (state: State, carried: Carried<State>) => End;
}

/**
 * Runs one run: publishes and records each state, works until the workflow is over or the run is long, and then ends or continues as new.
 */
export async function runOrdinary<State extends Recorded, End = never>({
  run,
  ending,
  cancelRequested,
  ...workflow
}: OrdinaryWorkflow<State, End>): Promise<End> {
  const { recorder, record } = startRecording(workflow.record, run);
  onHandOver(() => void (run.state = { ...run.state }));
  workflow.setHandlers();
  const isFinished = (): boolean => ending?.isOver(run.state) === true && recorder.isRecorded();
  const note = (): void => {
    record(ending?.mayRestart === true && isFinished() ? carry(run.state) : undefined);
  };
  await runProtected(
    async (calls) => {
      const publish = createPublisher();
      for (;;) {
        const prepared = workflow.prepare?.();
        // What changes from here on needs another round.
        const { state: before } = run;
        if (prepared !== undefined) await prepared;
        publish(workflow.published(run.state));
        note();
        if (isFinished() || isLong()) break;
        const ended = workflow.proceed({ calls, isChanged: () => run.state !== before });
        recorder.store();
        await ended;
      }
      const { state: before } = run;
      await condition(allHandlersFinished);
      if (run.state !== before) note();
    },
    cancelRequested && (() => void (run.state = cancelRequested(run.state, now()))),
  );
  const carried = carry({ ...run.state, records: toCarry(recorder.recording()) });
  if (ending !== undefined && isFinished()) return ending.result(run.state, carried);
  return continueOnCurrentRelease(workflow.nextInput(run.state, carried));
}

/** An activity that has stored replaces the state, which starts a round. */
function startRecording<State extends Recorded>(
  definition: RecordDefinition<State>,
  run: OrdinaryRun<State>,
): { recorder: Recorder<State>; record: (end?: Carried<State>) => void } {
  const { records: carried } = run.state;
  run.state = { ...run.state, records: undefined };
  // Before the handlers: setting one handles the messages that have arrived.
  let last = carried === undefined ? undefined : run.state;
  const recorder = createRecorder(
    definition,
    {
      ...RECORDING,
      read: () => run.state,
      onStored: () => void (run.state = { ...run.state }),
      call: () => callsIn(new CancellationScope({ cancellable: false })),
    },
    carried,
  );
  setHandler(recordsAway, recorder.recordsAway);
  setHandler(raiseFlag, (flag) => {
    run.state = { ...run.state, attention: raise(run.state.attention, flag) };
  });
  setHandler(getRecord, () =>
    fullBatch(definition, run.state, recorder.recording(), { now: now(), runId: RECORDING.runId() }),
  );
  const record = (end?: Carried<State>): void => {
    const fault = recorder.fault();
    if (fault !== undefined) throw fault;
    run.state = flagBacklog(run.state, recorder.recording(), now());
    recorder.note(last, run.state);
    last = run.state;
    recorder.send(end);
  };
  return { recorder, record };
}
