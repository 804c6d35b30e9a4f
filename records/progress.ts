// How far the records are: workers that can store move one time on. If it stands still, rows may be older than their workflows.
import { setTimeout as delay } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { INCOMPLETE_SINCE } from './incomplete.js';
import type { Instant } from '../domain/facts/fact.js';
import type { Statement } from './run.js';
import type { Tables } from './tables.js';

/** How often a worker moves it on, and a process that reads it asks. */
const PROGRESS_EVERY_MS = 5000;
/** A few turns may be missed by a slow database, or while workers are replaced. */
const STALE_AFTER_MS = 30_000;

/** Moves the time on, unless another worker has just done it. By the clock of the database. */
export const MOVE_ON: Statement = {
  name: 'move on',
  text: `update records_progress set recorded_until = now() where recorded_until < now() - interval '2 seconds'`,
  values: [],
};

export interface Progress {
  /** Until when workers could store. Undefined before the first reading. */
  recordedUntil: () => Instant | undefined;
  /** Whether they could not for so long that rows may be older than their workflows, or rows are incomplete. */
  isStale: () => boolean;
  /** Since when rows may be missing, for example after a restore. Undefined: they are complete, or it is not read yet. */
  incompleteSince: () => Instant | undefined;
}

/** Where nothing reads it. */
export const NO_PROGRESS: Progress = {
  recordedUntil: () => undefined,
  isStale: () => false,
  incompleteSince: () => undefined,
};

/** Moves the time on every few seconds, until the signal aborts. @param onFailure called once for each outage. */
export async function keepProgress(
  signal: AbortSignal,
  moveOn: () => Promise<void>,
  onFailure: (error: unknown) => void,
): Promise<void> {
  let hasFailed = false;
  await everyTurn(signal, async () => {
    try {
      await moveOn();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onFailure(error);
      hasFailed = true;
    }
  });
}

/** The turn handles its errors. */
async function everyTurn(signal: AbortSignal, turn: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await turn();
    await delay(PROGRESS_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

interface Read {
  until: Date;
  behindMs: number;
  incompleteSince: Date | null;
  readAtMs: number;
}

interface FollowOptions {
  signal: AbortSignal;
  /** Called once when rows have become incomplete. */
  onIncomplete?: () => void;
  /** Milliseconds of a clock that is never set back. */
  nowMs?: () => number;
}

/** Reads the progress every few seconds. A failed reading leaves the last one, which grows old. */
export function followProgress(
  db: Kysely<Tables>,
  { signal, onIncomplete, nowMs = () => performance.now() }: FollowOptions,
): Progress {
  let last: Read | undefined;
  void everyTurn(signal, async () => {
    const readAtMs = nowMs();
    const read = await readProgress(db).catch(() => undefined);
    if (read === undefined) return;
    if (read.incompleteSince !== null && (last?.incompleteSince ?? null) === null) onIncomplete?.();
    last = { ...read, readAtMs };
  });
  return {
    recordedUntil: () => last?.until.toISOString(),
    isStale: () =>
      last !== undefined &&
      (last.incompleteSince !== null || last.behindMs + nowMs() - last.readAtMs > STALE_AFTER_MS),
    incompleteSince: () => last?.incompleteSince?.toISOString(),
  };
}

async function readProgress(db: Kysely<Tables>): Promise<Omit<Read, 'readAtMs'> | undefined> {
  const { rows } = await sql<{ until: Date; seconds: number; incomplete: Date | null }>`
    select recorded_until as until, extract(epoch from now() - recorded_until)::float8 as seconds,
      ${sql.raw(INCOMPLETE_SINCE)} as incomplete
    from records_progress`.execute(db);
  const [read] = rows;
  return read && { until: read.until, behindMs: read.seconds * 1000, incompleteSince: read.incomplete };
}
