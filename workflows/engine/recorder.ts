// Hands what a workflow records to the worker, at the end of each pass. docs/decisions/0027-records.md explains the two ways of storing.
import { withViews } from './events.js';
import {
  fromCarried,
  hasNews,
  hashedView,
  newRecording,
  nextBatch,
  recordChanges,
  type CarriedRecording,
  type HashedView,
  type RecordDefinition,
  type Recording,
} from './recording.js';
import type { KeyRegister, KeyUse } from '../../domain/commands/key-use.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { RecordBatch, RecordOutcome } from '../../domain/records/batch.js';
import type { BatchSender, Calls } from './runtime.js';

export interface Recorder<State> {
  /** Adds the changes from one state to the next. `before` is undefined for the first state of the workflow. */
  note: (before: State | undefined, after: State) => void;
  /**
   * Hands everything new to the worker, which stores it before the workflow task completes. No command, no event. Nothing while the records are away.
   * @param carried only if the workflow ends: what a later run needs to go on.
   */
  send: (carried?: object) => void;
  /** While the records are away: starts the activity that stores what waits. Call it last in each pass, so that its command comes after all others. */
  store: () => void;
  /** The worker could not store what came after this batch. From now on an activity does, until it has stored once. */
  recordsAway: (stored: number) => void;
  /** Whether the records have everything, or will have it before this task completes. A workflow may end only then. */
  isRecorded: () => boolean;
  /** What the records do not have yet, for the next run. */
  recording: () => Recording;
  /** An unexpected error (a bug), which the workflow rethrows. */
  fault: () => Error | undefined;
}

/** What a recorder needs of the run. */
export interface RecorderRun<State> extends BatchSender {
  now: () => Instant;
  call: () => Pick<Calls, 'record'>;
  read: () => State;
  /** Wakes the workflow. Called only after a recorded event. */
  onStored: () => void;
}

/** The most entries in the input of an activity. Facts have at most a few kilobytes, so it stays far below Temporal's limit of 2 MB. */
const AT_ONCE = 100;

/**
 * The worker stores a batch before it completes the workflow task, or signals `recordsAway` instead. So a batch of an earlier task is stored for
 * certain once a later task has begun without that signal. Until then the recorder keeps it.
 * @param carried from the previous run.
 */
export function createRecorder<State extends KeyRegister>(
  definition: RecordDefinition<State>,
  run: RecorderRun<State>,
  carried: CarriedRecording = newRecording(run.firstRunId()),
): Recorder<State> {
  const own: Progress<State> = { definition, run, records: fromCarried(carried), kept: [], keptIn: 0 };
  return {
    note: (before, after) => {
      own.records = recordChanges(definition, own.records, { before, after }, run.now());
    },
    send: (end) => {
      send(own, end);
    },
    store: () => {
      if (own.records.isAway === true) storeInActivity(own);
    },
    recordsAway: (stored) => {
      takeBack(own, stored);
      run.onStored();
    },
    isRecorded: () => own.records.isAway !== true,
    recording: () => own.records,
    fault: () => own.fault,
  };
}

interface Progress<State> {
  definition: RecordDefinition<State>;
  run: RecorderRun<State>;
  /** As if everything that is kept were stored. */
  records: Recording;
  /** The batches of the newest task that sent any, oldest first. */
  kept: readonly { batch: RecordBatch; before: Recording }[];
  keptIn: number;
  /** The newest state, and its view. */
  current?: HashedView & { state: State };
  /** An activity is storing. */
  isStoring?: boolean;
  /** The newest change when the database refused its batch. */
  refusedAt?: number;
  fault?: Error;
}

function send<State>(own: Progress<State>, carried: object | undefined): void {
  const { definition, run } = own;
  if (own.records.isAway === true) return;
  const task = run.taskNumber();
  if (task !== own.keptIn) own.kept = [];
  own.keptIn = task;
  const current = currentOf(own);
  if (carried === undefined && !hasNews(own.records, current)) return;
  const before = own.records;
  const [first] = own.kept;
  const taskFollows = first?.before.follows ?? before.follows;
  const context = { ...current, now: run.now(), runId: run.runId(), taskFollows, atMost: Infinity, carried };
  const { batch, stored } = nextBatch(definition, current.state, before, context);
  own.kept = [...own.kept, { batch, before }];
  own.records = stored;
  run.send(batch);
}

/** Makes the view of a state once. */
function currentOf<State>(own: Progress<State>): HashedView & { state: State } {
  const state = own.run.read();
  if (own.current?.state !== state) own.current = { state, ...hashedView(own.definition, state) };
  return own.current;
}

/** The batches after `stored` wait again. A task that could store none of its batches sends a signal for each, in any order. */
function takeBack<State>(own: Progress<State>, stored: number): void {
  const isLost = ({ batch: { row } }: (typeof own.kept)[number]) => row.version > stored;
  const lost = own.kept.filter(isLost);
  const [first] = lost;
  const { follows, hash } = first?.before ?? own.records;
  const returned = lost.flatMap(({ batch }) => withViews(batch.entries, () => batch.row.view));
  const waiting = [...returned, ...own.records.waiting];
  const keys = [...lost.flatMap((one) => one.batch.keys ?? []), ...(own.records.keys ?? [])];
  own.records = {
    ...own.records,
    ...{ follows, hash, waiting },
    isAway: true,
    ...(keys.length > 0 && { keys }),
  };
  own.kept = own.kept.filter((one) => !isLost(one));
}

function storeInActivity<State>(own: Progress<State>): void {
  const { definition, run, records } = own;
  if (own.isStoring === true || own.refusedAt === records.sequence) return;
  own.isStoring = true;
  const current = currentOf(own);
  const { follows: taskFollows } = records;
  const context = { ...current, now: run.now(), runId: run.runId(), taskFollows, atMost: AT_ONCE };
  const { batch, stored } = nextBatch(definition, current.state, records, context);
  // What changes from now on comes after the batch.
  own.records = { ...records, sequence: stored.sequence };
  run
    .call()
    .record(batch)
    .then((outcome) => {
      own.records = afterAnswer(own.records, { stored, keys: batch.keys }, outcome);
      if (outcome.refused !== undefined) own.refusedAt = own.records.sequence;
    })
    .catch((error: unknown) => {
      own.fault = error instanceof Error ? error : new Error(String(error));
    })
    .finally(() => {
      own.isStoring = false;
      run.onStored();
    });
}

interface Sent {
  /** The recording once the batch is stored. */
  stored: Recording;
  keys: readonly KeyUse[] | undefined;
}

function afterAnswer(records: Recording, { stored, keys }: Sent, outcome: RecordOutcome): Recording {
  if (outcome.refused !== undefined) return { ...records, refused: outcome.refused };
  return outcome.newest === stored.follows
    ? afterStored(records, stored, keys)
    : behind(records, outcome.newest);
}

/** Changes since the batch was sent wait for the next one. */
const afterStored = (
  { identity, sequence, waiting, events, keys: dropped = [] }: Recording,
  { follows, hash }: Recording,
  sent: readonly KeyUse[] = [],
): Recording => {
  const keys = dropped.slice(sent.length);
  return {
    ...{ identity, sequence, follows, hash },
    waiting: waiting.filter((entry) => entry.sequence > follows),
    ...(events !== undefined && { events }),
    ...(keys.length > 0 && { keys }),
  };
};

/** The database has another newest batch than we know: it lost some, or an earlier attempt of a task stored one. */
const behind = (records: Recording, newest: number): Recording => ({
  ...records,
  sequence: Math.max(records.sequence, newest),
  follows: newest,
  isWhole: true,
});
