// Stores batches: the entries of each, and its row. The batches of a workflow form a chain, so that a repeated or late workflow task leaves no
// second story (docs/decisions/0027-records.md).
import { batchWithoutPersonalData } from '../domain/records/erasure.js';
import {
  entriesStatement,
  erasedStatement,
  headStatement,
  newestStatement,
  replaceStatement,
  storeStatement,
  vacantStatement,
  type Head,
  type NewestEntry,
} from './batch-statements.js';
import { flagRow, storeConflict } from './conflicts.js';
import { codeOf } from './errors.js';
import { bindKey } from './key-bindings.js';
import { openPool } from './pool.js';
import { inGroups } from './group-commit.js';
import { UNGUARDED } from './guard.js';
import { CHANGED_ROWS } from './listen.js';
import { MOVE_ON } from './progress.js';
import { readRemembered } from './remembered.js';
import { onDatabase, onPool, type Run, type Statement } from './run.js';
import type { RecordBatch, RecordOutcome, RecordWriter } from '../domain/records/batch.js';
import type { KeyBindings } from '../domain/records/bound-key.js';
import type { RecordMemory } from '../domain/records/remembered.js';
import type { Keyring } from '../sealing/keyring.js';
import type { Opened } from './database.js';
import type { RecordsSettings } from './settings.schema.js';

/** Classes of SQLSTATE that only the data of a statement can cause. */
const OF_DATA = /^2[23]/;
/** The most batches in a statement. A batch has a few kilobytes. */
const MOST_BATCHES = 200;

export function createRecordWriter(run: Run, keyring: Keyring, guard = UNGUARDED): RecordWriter {
  const notify = inGroups<string, void>({
    keyOf: (workflowId) => workflowId,
    atMost: Infinity,
    store: async (workflowIds) => {
      await run(notification(workflowIds));
      return [];
    },
  });
  const store = inGroups<RecordBatch, RecordOutcome>({
    keyOf: ({ workflowId }) => workflowId,
    atMost: MOST_BATCHES,
    store: (batches) => guard.attempt(() => storeTogether(run, keyring, batches)),
  });
  return {
    write: async (batch) => {
      guard.admit();
      const outcome = await store(batch);
      // Readers also ask every few seconds, so a lost notification only delays them.
      if (outcome.refused === undefined && outcome.newest === batch.row.version)
        notify(batch.workflowId).catch(() => undefined);
      return outcome;
    },
  };
}

const notification = (workflowIds: readonly string[]): Statement => ({
  name: 'notify',
  text: `select pg_notify('${CHANGED_ROWS}', workflow_id) from unnest($1::text[]) as workflow_id`,
  values: [workflowIds],
});

/** If the database refuses the data of a group, each batch is stored alone, so that only the bad one is refused. */
async function storeTogether(
  run: Run,
  keyring: Keyring,
  batches: readonly RecordBatch[],
): Promise<RecordOutcome[]> {
  try {
    return (await storeGroup(run, keyring, batches)).map((newest) => ({ newest }));
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (!OF_DATA.test(code)) throw error;
    if (batches.length === 1) return [{ refused: code }];
    const answers: RecordOutcome[] = [];
    for (const batch of batches) answers.push(...(await storeTogether(run, keyring, [batch])));
    return answers;
  }
}

/** @returns the newest version of each workflow. */
async function storeGroup(run: Run, keyring: Keyring, batches: readonly RecordBatch[]): Promise<number[]> {
  const rows = await run<{ workflow_id: string }>(storeStatement(keyring, batches));
  const stored = new Set(rows.map(({ workflow_id: id }) => id));
  const answers: number[] = [];
  for (const batch of batches)
    answers.push(stored.has(batch.workflowId) ? batch.row.version : await storeOther(run, keyring, batch));
  return answers;
}

/** Stores a batch that does not follow the newest one of its workflow, or that must not replace its row. */
async function storeOther(run: Run, keyring: Keyring, batch: RecordBatch): Promise<number> {
  const { row } = batch;
  const [head] = await run<Head>(headStatement(batch));
  if (head === undefined) return 0;
  if (head.version === null) {
    if (head.gone_at === null) return 0;
    await run(entriesStatement(keyring, batchWithoutPersonalData(batch)));
    return row.version;
  }
  if (isOfOther(batch, head)) {
    const isStored =
      head.state === 'unknown' && head.erased_at === null
        ? (await run(vacantStatement(keyring, batch))).length > 0
        : await storeConflict(run, keyring, batch);
    return isStored ? row.version : storeOther(run, keyring, batch);
  }
  const { connection_id: connectionId } = head;
  if (connectionId !== null && connectionId !== batch.connectionId) {
    const [newest = 0] = await storeGroup(run, keyring, [{ ...batch, connectionId }]);
    return newest;
  }
  if (head.erased_at !== null) {
    await run(erasedStatement(keyring, batchWithoutPersonalData(batch)));
    return row.version;
  }
  return repeat(run, keyring, batch, { ...head, version: head.version });
}

/** A row that was made again from its entries has no identity. Whatever begins under its uid after that is another thing. */
function isOfOther(
  batch: RecordBatch,
  { identity, is_other: isOther, run_id: runId }: Head,
): batch is RecordBatch & { identity: string } {
  if (batch.identity === undefined) return false;
  if (identity !== null) return identity !== batch.identity;
  return isOther || (batch.follows === 0 && runId !== batch.runId);
}

/** Stores a batch that an earlier attempt of its task has stored before, perhaps another one. */
async function repeat(
  run: Run,
  keyring: Keyring,
  batch: RecordBatch,
  head: Head & { version: number },
): Promise<number> {
  const { runId, follows, row } = batch;
  const isOfSameRun = head.run_id === runId;
  if (isOfSameRun && head.version === row.version) {
    await run(entriesStatement(keyring, batch));
    return row.version;
  }
  // Both tasks follow the same batch, so the older one was an earlier attempt.
  const isUnfinished = isOfSameRun && head.task_follows === follows && head.version < row.version;
  if (!isUnfinished) return head.version;
  const newest = await run<NewestEntry>(newestStatement(batch));
  const replaced = await run(replaceStatement(keyring, batch, { version: head.version, newest }));
  return replaced.length > 0 ? row.version : head.version;
}

/** For commands and tests, on a database that the caller has opened. */
export const createRecords = ({ db, keyring }: Opened): RecordWriter & RecordMemory & KeyBindings => ({
  ...createRecordWriter(onDatabase(db), keyring),
  ...rememberingOn(onDatabase(db), keyring),
});

const rememberingOn = (run: Run, keyring: Keyring): RecordMemory & KeyBindings => ({
  remembered: (resource, uid) => readRemembered(run, keyring, resource, uid),
  bindKey: (request) => bindKey(run, request),
  flagRow: (of, flag) => flagRow(run, keyring, of, flag),
});

/** While batches wait for the activity that stores them, it asks more often than this. */
const LATE_MS = 10_000;
/** One statement of batches and one of notifications are in flight. */
const POOL_SIZE = 2;
/** Reading has connections of its own. */
const READING_POOL_SIZE = 2;

export interface OpenedWriter extends RecordWriter, RecordMemory, KeyBindings {
  /** Stores a batch that could not be stored within its workflow task. */
  writeLate: RecordWriter['write'];
  /** Shows readers that everything until now is stored, unless late batches were on their way a moment ago. @throws the errors of the database. */
  moveOn: () => Promise<void>;
  close: () => Promise<void>;
}

/** Opens connections of its own, so that no other statement delays those of workflow tasks. */
export function openRecordWriter(
  settings: RecordsSettings,
  keyring: Keyring,
  guard = UNGUARDED,
): OpenedWriter {
  const pool = openPool(settings, { max: POOL_SIZE });
  const reading = openPool(settings, { max: READING_POOL_SIZE });
  const run = onPool(pool);
  const { write } = createRecordWriter(run, keyring, guard);
  let lateAt = -Infinity;
  return {
    write,
    writeLate: async (batch) => {
      lateAt = performance.now();
      try {
        return await write(batch);
      } finally {
        lateAt = performance.now();
      }
    },
    moveOn: async () => {
      if (performance.now() > lateAt + LATE_MS) await run(MOVE_ON);
    },
    ...rememberingOn(onPool(reading), keyring),
    close: async () => {
      await Promise.all([pool.end(), reading.end()]);
    },
  };
}
