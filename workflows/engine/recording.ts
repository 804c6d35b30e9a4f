// The changes of a workflow that the records (PostgreSQL) do not have yet. A run carries them to the next one. Plain JSON and pure.
import { happenedAt, type Fact, type Instant } from '../../domain/facts/fact.js';
import { lower, raise, type Attention } from '../../domain/attention/flags.js';
import { bytesOf } from '../../domain/facts/retention.js';
import { shortHash } from '../../domain/facts/short-hash.js';
import { droppedUses, type KeyRegister, type KeyUse } from '../../domain/commands/key-use.js';
import { toEntries, withViews, type Change } from './events.js';
import type { Entry, RecordBatch } from '../../domain/records/batch.js';
import type { RememberedRow } from '../../domain/records/remembered.js';
import type { ResourceName } from '../../domain/resources.js';

export type { Change } from './events.js';

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
  /** Of the thing, made by its first run. */
  identity: string;
  /** Of the newest change or batch. */
  sequence: number;
  /** The entries that no batch holds yet, oldest first. */
  waiting: readonly Entry[];
  /** How many events the thing has had. */
  events?: number | undefined;
  /** The uses of keys that the state has dropped and no batch holds yet. */
  keys?: readonly KeyUse[] | undefined;
  /** The version of the newest batch: the next one follows it. 0: there is none. */
  follows: number;
  /** A hash of its view. */
  hash?: string | undefined;
  /** The worker could not store a batch. An activity does. */
  isAway?: true | undefined;
  /** The records have another newest batch than this workflow knows. The next one holds everything. */
  isWhole?: true | undefined;
  /** Why the database refuses the next batch. Only its data can be the cause. */
  refused?: string | undefined;
}

/** As a run carries it: short, because each result of a run has it. */
export type CarriedRecording = Omit<Recording, 'sequence' | 'waiting'> &
  Partial<Pick<Recording, 'sequence' | 'waiting'>>;

export const toCarry = ({ sequence, waiting, ...rest }: Recording): CarriedRecording => ({
  ...rest,
  ...(sequence !== rest.follows && { sequence }),
  ...(waiting.length > 0 && { waiting }),
});

export const fromCarried = ({ sequence, waiting = [], ...rest }: CarriedRecording): Recording => ({
  ...rest,
  ...{ sequence: sequence ?? rest.follows, waiting },
});

/** Nothing is recorded yet. */
export const newRecording = (identity: string): Recording => ({
  ...{ identity, sequence: 0, waiting: [], follows: 0 },
});

/**
 * Of a run that continues what only its row has. Its events are numbered from the version, which is greater than all earlier numbers.
 * @param firstRunId of this run. It becomes the identity of a thing that has none.
 */
export const recordingAfter = (
  { identity, version }: Pick<RememberedRow, 'identity' | 'version'>,
  firstRunId: string,
): Recording => ({
  ...newRecording(identity ?? firstRunId),
  ...{ sequence: version, follows: version, events: version },
});

/** Part of each recorded state. */
export interface Recorded extends KeyRegister {
  /** What the previous run has carried. Only the recorder (recorder.ts) changes it. */
  records?: CarriedRecording | undefined;
  attention: Attention[];
}

/** More waiting bytes than this raise a flag. Temporal limits the state that a run carries to 2 MB. */
const MOST_WAITING_BYTES = 256 * 1024;
/** Adds the changes between two states to what waits. Returns the same recording if there are none. */
export function recordChanges<State extends KeyRegister>(
  definition: RecordDefinition<State>,
  records: Recording,
  { before, after }: { before: State | undefined; after: State },
  now: Instant,
): Recording {
  const changes = before === after ? [] : definition.changes(before, after);
  const keys = droppedUses(before, after);
  if (changes.length === 0 && keys.length === 0) return records;
  const first = nextSequence(records, now);
  const { entries, events } = toEntries(definition.resource, changes, { first, now, events: records.events });
  // While the records are away, the view of the batch may be hours newer.
  const isLater = before !== undefined && (events !== records.events || records.isAway === true);
  const waiting = isLater ? withViews(records.waiting, () => definition.viewOf(before)) : records.waiting;
  return {
    ...records,
    sequence: first + entries.length - 1,
    waiting: [...waiting, ...entries],
    ...(events !== undefined && { events }),
    ...(keys.length > 0 && { keys: [...(records.keys ?? []), ...keys] }),
  };
}

/** A view with its hash. */
export interface HashedView {
  view: object;
  hash: string;
}

export function hashedView<State>(definition: RecordDefinition<State>, state: State): HashedView {
  const view = definition.viewOf(state);
  return { view, hash: shortHash(JSON.stringify(view)) };
}

/** Whether the workflow has changes, or another view, that no batch holds. */
export const hasNews = ({ waiting, keys, hash, isWhole }: Recording, current: HashedView): boolean =>
  isWhole === true || waiting.length > 0 || keys !== undefined || hash !== current.hash;

/** What a batch needs besides the state. */
export interface BatchContext extends HashedView {
  now: Instant;
  runId: string;
  /** The newest batch of an earlier task. */
  taskFollows: number;
  /** The most entries. If more wait, another batch follows. */
  atMost: number;
  /** Of the batch that ends the workflow. */
  carried?: object | undefined;
}

/** The next batch, and the recording once it is stored. */
export function nextBatch<State>(
  definition: RecordDefinition<State>,
  state: State,
  records: Recording,
  { view, hash, now, runId, taskFollows, atMost, carried }: BatchContext,
): { batch: RecordBatch; stored: Recording } {
  const { identity, waiting, keys, follows, isWhole, events } = records;
  const slice = isWhole === true ? waiting : waiting.slice(0, atMost);
  const rest = waiting.slice(slice.length);
  const last = slice.at(-1);
  // A batch that leaves entries to the next one must not overtake them.
  const version = rest.length > 0 && last !== undefined ? last.sequence : nextSequence(records, now);
  const entries = isWhole === true ? allEntries(definition, state, slice) : slice;
  return {
    batch: {
      ...idsOf(definition, state),
      ...{ identity, runId, follows, taskFollows, entries },
      row: { version, at: now, view },
      ...(keys !== undefined && { keys }),
      ...(carried !== undefined && { carried }),
      ...(!hasNews(records, { view, hash }) && { isSameView: true as const }),
    },
    stored: {
      identity,
      sequence: Math.max(records.sequence, version),
      waiting: rest,
      ...(events !== undefined && { events }),
      follows: version,
      hash: rest.length > 0 ? undefined : hash,
    },
  };
}

function idsOf<State>(
  definition: RecordDefinition<State>,
  state: State,
): Pick<RecordBatch, 'resource' | 'uid' | 'connectionId' | 'workflowId'> {
  const { resource } = definition;
  const { uid, connectionId } = definition.idsOf(state);
  return { resource, uid, connectionId, workflowId: workflowIdOf(resource, uid) };
}

/** The workflow `stop` is the only one of its kind. */
const workflowIdOf = (resource: ResourceName, uid: string): string =>
  resource === 'stop' ? uid : `${resource}/${uid}`;

/** Everything that the workflow still knows, for records that have lost or never had it. A repeat returns the same entries. */
export const fullBatch = <State>(
  definition: RecordDefinition<State>,
  state: State,
  { identity, follows, waiting }: Recording,
  { now, runId }: Pick<BatchContext, 'now' | 'runId'>,
): RecordBatch => ({
  ...idsOf(definition, state),
  ...{ identity, runId, follows, taskFollows: follows },
  entries: allEntries(definition, state, waiting),
  row: { version: follows, at: now, view: definition.viewOf(state) },
});

/** What waits, and the other facts, with sequences of their own by when they were received. The records skip those that they have. */
function allEntries<State>(
  definition: RecordDefinition<State>,
  state: State,
  waiting: readonly Entry[],
): Entry[] {
  const waits = new Set(waiting.map(({ factId }) => factId));
  const others = definition.factsOf(state).map((fact, index) => ({
    ...changeOfFact(fact),
    ...{ at: happenedAt(fact), sequence: microsOf(fact.receivedAt) + index },
  }));
  return [...others.filter(({ factId }) => !waits.has(factId)), ...waiting].sort(
    (one, other) => one.sequence - other.sequence,
  );
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

/** Raises or lowers the flag for entries that wait. The run carries them, so a person must know when they become many, or cannot be stored. */
export function flagBacklog<State extends Recorded>(state: State, records: Recording, now: Instant): State {
  const flagged = state.attention.find(({ code }) => code === 'records');
  const flag = backlogFlag(records, now);
  if (flagged?.detail === flag?.detail) return state;
  const rest = lower(state.attention, 'records');
  return { ...state, attention: flag === undefined ? rest : raise(rest, flag) };
}

function backlogFlag({ waiting, refused }: Recording, since: Instant): Attention | undefined {
  if (refused !== undefined)
    return {
      ...{ code: 'records', since },
      detail: `The records (PostgreSQL) refused the data of this workflow: ${refused}.`,
      next: 'Report this as a fault of the product. Nothing is lost: the changes wait here, and each later change, and a newer release, tries again.',
    };
  const bytes = waiting.reduce((sum, entry) => sum + bytesOf(entry), 0);
  if (bytes <= MOST_WAITING_BYTES) return undefined;
  return {
    ...{ code: 'records', since },
    detail: 'More than 256 kB of changes wait to be stored in the records (PostgreSQL).',
    next: 'Bring the database back: see the worker’s log. The changes are then stored automatically, and this flag is lowered.',
  };
}
