// Stores what a workflow records, beside its other work. docs/decisions/0027-records.md explains the two ways of storing.
import { CallFailed } from './runtime.js';
import {
  NOTHING_RECORDED,
  isRecorded,
  markStored,
  nextBatch,
  recordChanges,
  recordRow,
} from './recording.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Entry, RecordBatch } from '../../domain/records/batch.js';
import type { Calls } from './runtime.js';
import type { RecordDefinition, Recording } from './recording.js';

export interface Recorder<State> {
  /** Adds the changes from one state to the next. `before` is undefined for the first state of the workflow. */
  note: (before: State | undefined, after: State) => void;
  /** Gives the row a new version if it has changed. */
  noteRow: (state: State) => void;
  /** Starts to store what waits. Call it last in each pass of the workflow, so that its command comes after all others. */
  store: () => void;
  /** A local activity could not store. From now on an activity does, until it has stored once. */
  recordsAway: () => void;
  /** Whether the records have everything. */
  isRecorded: () => boolean;
  /** What the records do not have yet, for the next run. */
  recording: () => Recording;
  /** An unexpected error (a bug), which the workflow rethrows. */
  fault: () => Error | undefined;
}

/** What a recorder needs of the run. */
export interface RecorderRun<State> {
  now: () => Instant;
  call: () => Pick<Calls, 'recordNow' | 'record'>;
  read: () => State;
  /** Wakes the workflow. Called only after a recorded event. */
  onStored: () => void;
}

/**
 * A local activity stores within the workflow task. Its end causes no command, because a query may delay its end to the next task, but not in a
 * replay. So nothing waits for it but the end of the workflow. If it fails, it signals the workflow (`recordsAway`), and that recorded event
 * starts the activity.
 * @param carried from the previous run.
 */
export function createRecorder<State>(
  definition: RecordDefinition<State>,
  run: RecorderRun<State>,
  carried: Recording = NOTHING_RECORDED,
): Recorder<State> {
  const own: Progress<State> = {
    definition,
    run,
    records: carried,
    sent: [],
    sentVersion: carried.storedVersion,
  };
  return {
    note: (before, after) => {
      own.records = recordChanges(definition, own.records, { before, after }, run.now());
    },
    noteRow: (state) => {
      noteRow(own, state);
    },
    store: () => {
      noteRow(own, run.read());
      if (own.records.isAway === true) storeInActivity(own);
      else storeNow(own);
    },
    recordsAway: () => {
      own.records = { ...recordingOf(own), isAway: true };
      own.sent = [];
      run.onStored();
    },
    isRecorded: () => isRecorded(recordingOf(own)),
    recording: () => recordingOf(own),
    fault: () => own.fault,
  };
}

interface Progress<State> {
  definition: RecordDefinition<State>;
  run: RecorderRun<State>;
  /** Without the entries in `sent`. */
  records: Recording;
  /** The entries in local activities, oldest first. */
  sent: readonly Entry[];
  /** The newest row in a local activity. */
  sentVersion: number;
  /** The state of the latest row. */
  noted?: State;
  /** An activity is storing. */
  isStoring?: boolean;
  fault?: Error;
}

const recordingOf = <State>({ records, sent }: Progress<State>): Recording => ({
  ...records,
  waiting: [...sent, ...records.waiting],
});

function noteRow<State>(own: Progress<State>, state: State): void {
  if (state === own.noted) return;
  own.noted = state;
  own.records = recordRow(own.definition, own.records, state, own.run.now());
}

/** Sends everything new at once. The worker stores the batches of a workflow one after the other (activities/record.ts). */
function storeNow<State>(own: Progress<State>): void {
  while (own.records.waiting.length > 0 || own.sentVersion < (own.records.row?.version ?? 0)) {
    const batch = nextBatch(own.definition, own.run.read(), own.records);
    own.sent = [...own.sent, ...batch.entries];
    own.sentVersion = batch.row.version;
    own.records = { ...own.records, waiting: own.records.waiting.slice(batch.entries.length) };
    const stored = isDone(own.run.call().recordNow(batch)).then((isStored) => {
      if (isStored) markSentStored(own, batch);
    });
    watch(own, stored);
  }
}

function markSentStored<State>(own: Progress<State>, { entries, row: { version } }: RecordBatch): void {
  const stored = new Set(entries.map(({ sequence }) => sequence));
  own.sent = own.sent.filter(({ sequence }) => !stored.has(sequence));
  own.records = { ...own.records, storedVersion: Math.max(own.records.storedVersion, version) };
}

function storeInActivity<State>(own: Progress<State>): void {
  if (own.isStoring === true || isRecorded(own.records)) return;
  own.isStoring = true;
  const batch = nextBatch(own.definition, own.run.read(), own.records);
  const stored = own.run
    .call()
    .record(batch)
    .then(() => {
      own.isStoring = false;
      own.records = { ...markStored(own.records, batch), isAway: undefined };
      own.sentVersion = Math.max(own.sentVersion, batch.row.version);
      own.run.onStored();
    });
  watch(own, stored);
}

function watch<State>(own: Progress<State>, stored: Promise<void>): void {
  stored.catch((error: unknown) => {
    own.fault = error instanceof Error ? error : new Error(String(error));
    own.run.onStored();
  });
}

const isDone = (call: Promise<void>): Promise<boolean> =>
  call.then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof CallFailed)) throw error;
      return false;
    },
  );
