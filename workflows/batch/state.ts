// The state of a batch: the progress of its chunks, and the commands it received. Plain JSON and pure.
import { lostRowsFlag, overdueAtMs, replaceOverdue, type BlockedRows } from '../../domain/batch/blocked.js';
import { COURSE_AFTER, chunksOf } from '../../domain/batch/rows.js';
import { raise, type Attention } from '../../domain/attention/flags.js';
import { setAwaiting } from '../engine/awaiting.js';
import { refused } from '../engine/refusal.js';
import type * as batches from '../../domain/batch/rows.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { Recorded } from '../engine/recording.js';
import type { Repair } from '../../domain/batch/repair.js';

export interface BatchRequest {
  id: string;
  kind: batches.BatchKind;
  connectionId?: string | undefined;
  isDryRun: boolean;
  /** The number of rows in each chunk. */
  sizes: number[];
  /** Digest of the whole request, the same for a repeat. */
  digest: string;
  requestedBy: string;
  /** Only of a batch that repairs resources. */
  repair?: Repair | undefined;
}

interface BatchChunk extends batches.Chunk {
  blocked?: BlockedRows | undefined;
  /** The version of the last direction that was sent to the chunk. */
  directed?: number | undefined;
  isOver?: boolean | undefined;
}

export interface BatchState extends Omit<BatchRequest, 'sizes'>, batches.Direction, Recorded {
  requestedAt: Instant;
  chunks: BatchChunk[];
  /** `incomplete`: not all rows arrived in time. */
  reception: 'receiving' | 'received' | 'incomplete';
  commands: batches.BatchSteered[];
  attention: Attention[];
  awaiting: Awaiting;
}

/** Older commands are dropped. */
const COMMANDS_KEPT = 20;
/** The API sends the rows within seconds. A caller repeats an interrupted request. */
const RECEIVED_WITHIN_MS = 60 * 60 * 1000;

export const newBatch = ({ sizes, ...request }: BatchRequest, now: Instant): BatchState => ({
  ...request,
  requestedAt: now,
  ...{ chunks: chunksOf(sizes), reception: 'receiving', course: 'going', version: 0, commands: [] },
  ...{ attention: [], awaiting: { what: 'rows', since: now } },
});

export const isOver = ({ reception, chunks }: BatchState): boolean =>
  reception !== 'receiving' && chunks.every((chunk) => chunk.isOver === true);

/** No row starts before all rows have arrived. */
export const directionOf = ({ reception, course, version }: BatchState): batches.Direction => ({
  course: reception === 'receiving' ? 'paused' : course,
  version,
});

/** The chunks that have not received the current direction. */
export const chunksToDirect = ({ reception, chunks, version }: BatchState): number[] =>
  chunks.flatMap(({ isOver: isDone, directed }, n) =>
    reception === 'receiving' || isDone === true || directed === version ? [] : [n],
  );

export const markDirected = (state: BatchState, directed: readonly number[]): BatchState =>
  directed.reduce((before, n) => updateChunk(before, n, { directed: before.version }), state);

const updateChunk = (state: BatchState, n: number, change: Partial<BatchChunk>): BatchState => ({
  ...state,
  chunks: state.chunks.map((chunk, index) => (index === n ? { ...chunk, ...change } : chunk)),
});

/** The chunk has no open run: its rows never arrived, or it was terminated. */
export function applyLostChunk(state: BatchState, n: number, now: Instant): BatchState {
  const { first = 0, size = 0, isOver: isDone } = state.chunks[n] ?? {};
  if (isDone === true) return state;
  const outcome = state.reception === 'incomplete' ? 'abandoned' : 'parked';
  const lost = updateChunk(state, n, {
    counts: { [outcome]: size },
    ...{ amounts: undefined, blocked: undefined, isOver: true },
  });
  if (outcome === 'abandoned') return lost;
  return { ...lost, attention: raise(lost.attention, lostRowsFlag(first, now)) };
}

export const applyReport = (state: BatchState, { n, ...report }: batches.ChunkReport): BatchState =>
  updateChunk(state, n, report);

export const applyReception = (state: BatchState): BatchState =>
  state.reception === 'receiving' ? { ...state, reception: 'received', version: state.version + 1 } : state;

/** @throws ApplicationFailure `batch_over` */
export function assertSteerable(state: BatchState, { command }: batches.BatchSteering): void {
  const isRepeat = state.course === COURSE_AFTER[command];
  if (isRepeat || (state.course !== 'abandoned' && !isOver(state))) return;
  throw refused('batch_over', 'The batch has ended or was abandoned.');
}

/** A repeat changes nothing: the first reason counts. */
export function applySteering(state: BatchState, steering: batches.BatchSteering, now: Instant): BatchState {
  const course = COURSE_AFTER[steering.command];
  if (state.course === course) return state;
  const commands = [...state.commands, { ...steering, at: now }].slice(-COMMANDS_KEPT);
  return { ...state, course, version: state.version + 1, commands };
}

/** Applies everything that depends on the time: missing rows, rows blocked for long, and what the batch waits for. */
export function applyTime(state: BatchState, now: Instant): BatchState {
  const { reception, requestedAt } = state;
  const isLate = reception === 'receiving' && Date.parse(now) >= Date.parse(requestedAt) + RECEIVED_WITHIN_MS;
  const received: BatchState = isLate
    ? { ...state, reception: 'incomplete', course: 'abandoned', version: state.version + 1 }
    : state;
  const awaiting = isOver(received) ? 'nothing' : received.course === 'paused' ? 'operator' : 'rows';
  return flagOverdue(setAwaiting(received, awaiting, now), now);
}

/** Milliseconds until time changes the state; undefined if it does not. */
export function msToDeadline(state: BatchState, now: Instant): number | undefined {
  const { reception, requestedAt, attention } = state;
  const isFlagged = attention.some(({ code }) => code === 'overdue');
  const atMs = Math.min(
    reception === 'receiving' ? Date.parse(requestedAt) + RECEIVED_WITHIN_MS : Infinity,
    isFlagged ? Infinity : overdueAtMs(blockedIn(state)),
  );
  return atMs === Infinity ? undefined : Math.max(atMs - Date.parse(now), 0);
}

const blockedIn = ({ chunks }: BatchState) => chunks.flatMap(({ blocked }) => blocked ?? []);

function flagOverdue(state: BatchState, now: Instant): BatchState {
  const attention = replaceOverdue(state.attention, blockedIn(state), now);
  return attention === state.attention ? state : { ...state, attention };
}
