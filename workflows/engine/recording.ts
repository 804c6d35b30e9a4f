// The changes of a workflow that the records (PostgreSQL) do not have yet. A run carries them to the next one. Plain JSON and pure.
import { happenedAt } from '../../domain/facts/fact.js';
import { lower, raise } from '../../domain/attention/flags.js';
import { bytesOf } from '../../domain/facts/retention.js';
import { shortHash } from '../../domain/facts/short-hash.js';
import type { Entry, RecordBatch } from '../../domain/records/batch.js';
import type { ResourceName } from '../../domain/resources.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';

/** One change. Without `at`, it happened when the state was updated. */
export type Change = Omit<Entry, 'sequence' | 'at'> & { at?: Instant };

/** What a workflow records. */
export interface RecordDefinition<State> {
  resource: ResourceName;
  /** The ids of the row. */
  idsOf(state: State): Pick<RecordBatch, 'uid' | 'connectionId'>;
  /** The content of the row. */
  viewOf(state: State): object;
  /** The changes from one state to the next, oldest first. `before` is undefined for the first state of the workflow. */
  changes(before: State | undefined, after: State): Change[];
  /** All facts that the state holds. */
  factsOf(state: State): readonly Fact[];
}

export interface Recording {
  /** Of the newest change. */
  sequence: number;
  /** The entries that are not stored yet, oldest first. */
  waiting: readonly Entry[];
  /** The current row, and a hash of its view. */
  row?: { version: number; at: Instant; hash: string } | undefined;
  /** The version of the stored row. */
  storedVersion: number;
  /** The database did not answer. An activity retries until it does. */
  isAway?: true | undefined;
}

export const NOTHING_RECORDED: Recording = { sequence: 0, waiting: [], storedVersion: 0 };

/** Part of each recorded state. */
export interface Recorded {
  /** What the previous run has carried. Only the recorder (recorder.ts) changes it. */
  records?: Recording | undefined;
  attention: Attention[];
}

/** More waiting bytes than this raise a flag. Temporal limits the state that a run carries to 2 MB. */
const MOST_WAITING_BYTES = 256 * 1024;
/** The most entries in one call. Facts have at most a few kilobytes, so the call is far below Temporal's limit of 2 MB. */
const AT_ONCE = 100;

/** Adds the changes between two states to the waiting entries. Returns the same recording if there are none. */
export function recordChanges<State>(
  definition: RecordDefinition<State>,
  records: Recording,
  { before, after }: { before: State | undefined; after: State },
  now: Instant,
): Recording {
  const changes = before === after ? [] : definition.changes(before, after);
  if (changes.length === 0) return records;
  const first = nextSequence(records, now);
  const entries = changes.map((change, index): Entry => ({ at: now, ...change, sequence: first + index }));
  return {
    ...records,
    sequence: first + entries.length - 1,
    waiting: [...records.waiting, ...entries],
  };
}

/** Gives the row a new version. Returns the same recording if its content is unchanged. */
export function recordRow<State>(
  definition: RecordDefinition<State>,
  records: Recording,
  state: State,
  now: Instant,
): Recording {
  const hash = shortHash(JSON.stringify(definition.viewOf(state)));
  if (records.row?.hash === hash) return records;
  const sequence = nextSequence(records, now);
  return { ...records, sequence, row: { version: sequence, at: now, hash } };
}

/** Whether the records have every change. */
export const isRecorded = ({ waiting, row, storedVersion }: Recording): boolean =>
  waiting.length === 0 && (row?.version ?? 0) === storedVersion;

/** The next entries to store, and the current row. */
export function nextBatch<State>(
  definition: RecordDefinition<State>,
  state: State,
  { waiting, row }: Recording,
): RecordBatch {
  const { resource } = definition;
  const { uid, connectionId } = definition.idsOf(state);
  const { version = 0, at = '' } = row ?? {};
  return {
    ...{ resource, uid, connectionId, workflowId: workflowIdOf(resource, uid) },
    entries: waiting.slice(0, AT_ONCE),
    row: { version, at, view: definition.viewOf(state) },
  };
}

/** The workflow `stop` is the only one of its kind. */
const workflowIdOf = (resource: ResourceName, uid: string): string =>
  resource === 'stop' ? uid : `${resource}/${uid}`;

/** Removes the entries of a stored batch from those that wait. */
export function markStored(records: Recording, { entries, row: { version } }: RecordBatch): Recording {
  const upTo = entries.at(-1)?.sequence ?? 0;
  const waiting = records.waiting.filter(({ sequence }) => sequence > upTo);
  return { ...records, waiting, storedVersion: Math.max(records.storedVersion, version) };
}

/** Everything that the workflow still knows, for records that have lost or never had it. A repeat returns the same entries. */
export function fullBatch<State>(
  definition: RecordDefinition<State>,
  state: State,
  records: Recording,
): RecordBatch {
  const facts = definition.factsOf(state).map((fact, index) => ({
    ...changeOfFact(fact),
    ...{ at: happenedAt(fact), sequence: microsOf(fact.receivedAt) + index },
  }));
  return { ...nextBatch(definition, state, records), entries: [...facts, ...records.waiting] };
}

/** A fact as a change. The commands that we record as facts are commands. */
export const changeOfFact = (fact: Fact): Change => ({
  kind: fact.source === 'command' ? 'command' : 'fact',
  name: fact.type,
  factId: fact.id,
  at: happenedAt(fact),
  data: fact,
});

/**
 * Sequences follow the workflow's clock, in microseconds, and always grow. So the changes after a reset of the run, or of a run that replaces a
 * terminated one, come after all earlier ones.
 */
const nextSequence = ({ sequence }: Recording, now: Instant): number => Math.max(sequence + 1, microsOf(now));

const microsOf = (at: Instant): number => Date.parse(at) * 1000;

/** Raises or lowers the flag for entries that wait. The run carries them, so a person must know when they become many. */
export function flagBacklog<State extends Recorded>(state: State, records: Recording, now: Instant): State {
  const isFlagged = state.attention.some(({ code }) => code === 'records');
  const bytes = records.waiting.reduce((sum, entry) => sum + bytesOf(entry), 0);
  if (bytes > MOST_WAITING_BYTES === isFlagged) return state;
  const attention = isFlagged ? lower(state.attention, 'records') : raise(state.attention, backlogFlag(now));
  return { ...state, attention };
}

const backlogFlag = (since: Instant): Attention => ({
  ...{ code: 'records', since },
  detail: 'More than 256 kB of changes wait to be stored in the records (PostgreSQL).',
  next: 'Bring the database back: see the worker’s log. The changes are then stored automatically, and this flag is lowered.',
});
