// Limits how long a row waits for other runs, so that a run that does not answer delays only its own rows.
import { refusedRow, type RowAnswer } from '../../domain/batch/rows.js';
import { within } from '../attempts/within.js';
import { isAsBefore, type Scene } from './rows.js';

/** Longer than the update of a busy agreement takes. */
const ROW_MS = 10_000;
/** A chunk watches up to two hundred rows within the five minutes of `watchRows`. */
const READ_MS = 5000;

/** The deadline of Temporal's client limits its calls, but not the pauses between its retries. The timer covers both. */
export const limited = <T>({ deps: { temporal } }: Scene, work: () => Promise<T>, ms = ROW_MS): Promise<T> =>
  within(
    temporal.withDeadline(Date.now() + ms, work),
    ms,
    () => new Error(`no answer within ${ms / 1000} seconds`),
  );

/** Blocks a row, and never refuses it: an update without an answer may have been accepted. A repeat is harmless. */
export const unanswered = ({ deps }: Scene, error: unknown): RowAnswer => {
  const name = error instanceof Error ? error.name : typeof error;
  const detail = `a workflow that the row needs did not answer (${name}); it may be paused, impossible to replay, or without a worker`;
  const at = new Date(deps.now()).toISOString();
  return {
    ...refusedRow([{ code: 'unanswered', pointer: '', detail }], at, 'blocked'),
    awaiting: 'operator',
  };
};

/** Reads the news of a started row. Without an answer, the row is blocked, which is news only once. */
export async function newsOf(
  scene: Scene,
  { uid, state }: { uid: string; state: string },
  read: () => Promise<RowAnswer | null>,
): Promise<RowAnswer | null> {
  try {
    return await limited(scene, read, READ_MS);
  } catch (error) {
    const blocked = { ...unanswered(scene, error), state };
    return isAsBefore(scene.task, uid, blocked.outcome, blocked.awaiting) ? null : blocked;
  }
}
