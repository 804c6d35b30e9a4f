// The changes of a workflow that the records (PostgreSQL) do not have yet. They are part of its state, so that none is lost. Plain JSON and pure.
import { lower, raise } from '../../../domain/attention/flags.js';
import { bytesOf } from '../../../domain/facts/retention.js';
import { shortHash } from '../../../domain/facts/short-hash.js';
import type { Entry, RecordBatch, RecordedResource } from '../../../domain/records/batch.js';
import type { Attention } from '../../../domain/attention/flags.js';
import type { Fact, Instant } from '../../../domain/facts/fact.js';

/** One change. Without `at`, it happened when the state was updated. */
export type Change = Omit<Entry, 'sequence' | 'at'> & { at?: Instant };

/** What a workflow records. */
export interface RecordDefinition<State> {
  resource: RecordedResource;
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
  waiting: Entry[];
  /** Their bytes of JSON. */
  waitingBytes: number;
  /** The current row, and a hash of its view. */
  row?: { version: number; at: Instant; hash: string } | undefined;
  /** The version of the stored row. */
  storedVersion: number;
}

export interface Recorded {
  /** Absent until the first change. */
  records?: Recording | undefined;
  attention: Attention[];
}

const NOTHING: Recording = { sequence: 0, waiting: [], waitingBytes: 0, storedVersion: 0 };

/** More waiting bytes than this raise a flag. Temporal limits the state that a run carries to 2 MB. */
const MOST_WAITING_BYTES = 256 * 1024;
/** The most entries in one call. Facts have at most a few kilobytes, so the call is far below Temporal's limit of 2 MB. */
const AT_ONCE = 100;

/** Adds the changes of an update to the waiting entries. An update that changed nothing adds none. */
export function recordChanges<State extends Recorded>(
  definition: RecordDefinition<State>,
  before: State | undefined,
  updated: State,
  now: Instant,
): State {
  if (before === updated) return updated;
  const after = flagBacklog(updated, now);
  const changes = definition.changes(before, after);
  if (changes.length === 0) return after;
  const records = after.records ?? NOTHING;
  const first = nextSequence(records, now);
  const entries = changes.map((change, index): Entry => ({ at: now, ...change, sequence: first + index }));
  return {
    ...after,
    records: {
      ...records,
      sequence: first + entries.length - 1,
      waiting: [...records.waiting, ...entries],
      waitingBytes: records.waitingBytes + entries.reduce((sum, entry) => sum + bytesOf(entry), 0),
    },
  };
}

/** Gives the row a new version if its content has changed. */
export function recordRow<State extends Recorded>(
  definition: RecordDefinition<State>,
  state: State,
  now: Instant,
): State {
  const { records = NOTHING } = state;
  const hash = shortHash(JSON.stringify(definition.viewOf(state)));
  if (records.row?.hash === hash) return state;
  const sequence = nextSequence(records, now);
  return { ...state, records: { ...records, sequence, row: { version: sequence, at: now, hash } } };
}

/** Whether the records have every change. */
export const isRecorded = ({ records = NOTHING }: Recorded): boolean =>
  records.waiting.length === 0 && (records.row?.version ?? 0) === records.storedVersion;

/** The next entries to store, and the current row. */
export function nextBatch<State extends Recorded>(
  definition: RecordDefinition<State>,
  state: State,
): RecordBatch {
  const { waiting, row } = state.records ?? NOTHING;
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
const workflowIdOf = (resource: RecordedResource, uid: string): string =>
  resource === 'stop' ? uid : `${resource}/${uid}`;

/** What a stored batch contained. */
export interface Stored {
  /** The sequence of its last entry. Absent if it had none. */
  upTo?: number | undefined;
  version: number;
}

export const storedIn = ({ entries, row: { version } }: RecordBatch): Stored => ({
  upTo: entries.at(-1)?.sequence,
  version,
});

/** Removes stored entries from those that wait. */
export function markStored<State extends Recorded>(state: State, { upTo = 0, version }: Stored): State {
  const { records = NOTHING } = state;
  const waiting = records.waiting.filter(({ sequence }) => sequence > upTo);
  const waitingBytes = waiting.length === 0 ? 0 : waiting.reduce((sum, entry) => sum + bytesOf(entry), 0);
  const attention = waitingBytes > MOST_WAITING_BYTES ? state.attention : withoutBacklog(state.attention);
  return { ...state, attention, records: { ...records, waiting, waitingBytes, storedVersion: version } };
}

const withoutBacklog = (attention: Attention[]): Attention[] =>
  attention.some(({ code }) => code === 'records') ? lower(attention, 'records') : attention;

/** Everything that the workflow still knows, for records that have lost or never had it. A repeat returns the same entries. */
export function fullBatch<State extends Recorded>(
  definition: RecordDefinition<State>,
  state: State,
): RecordBatch {
  const batch = nextBatch(definition, state);
  const stored = definition.factsOf(state).map((fact, index) => ({
    ...changeOfFact(fact),
    at: fact.publishedAt,
    sequence: microsOf(fact.receivedAt) + index,
  }));
  return { ...batch, entries: [...stored, ...(state.records?.waiting ?? [])] };
}

/** A fact as a change. The commands that we record as facts are commands. */
export const changeOfFact = (fact: Fact): Change => ({
  kind: fact.source === 'command' ? 'command' : 'fact',
  name: fact.type,
  factId: fact.id,
  at: fact.publishedAt,
  data: fact,
});

/**
 * Sequences follow the workflow's clock, in microseconds, and always grow. So the changes after a reset of the run, or of a run that replaces a
 * terminated one, come after all earlier ones.
 */
const nextSequence = ({ sequence }: Recording, now: Instant): number => Math.max(sequence + 1, microsOf(now));

const microsOf = (at: Instant): number => Date.parse(at) * 1000;

/** The entries stay in the state until the database has them, so a person must know when they become many. */
const flagBacklog = <State extends Recorded>(state: State, now: Instant): State =>
  (state.records?.waitingBytes ?? 0) <= MOST_WAITING_BYTES
    ? state
    : {
        ...state,
        attention: raise(state.attention, {
          code: 'records',
          since: now,
          detail: 'More than 256 kB of changes wait to be stored in the records (PostgreSQL).',
          next: 'Bring the database back: see the worker’s log. The changes are then stored automatically, and this flag is lowered.',
        }),
      };
