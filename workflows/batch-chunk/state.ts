// The state of a chunk: its rows and their outcomes. Plain JSON and pure.
import { blockedRows } from '../../domain/batch/blocked.js';
import { amountsOf, countsOf, isAnswer, refusedRow, updatedAnswers } from '../../domain/batch/rows.js';
import { setAwaiting } from '../engine/awaiting.js';
import type * as batches from '../../domain/batch/rows.js';
import type { BatchRequest } from '../batch/contract.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';

type Answers = (batches.RowAnswer | null)[];

export interface ChunkRequest extends Omit<BatchRequest, 'id' | 'sizes' | 'digest'> {
  /** The id of the batch. */
  batch: string;
  /** The index of the chunk in the batch, from 0. */
  n: number;
  /** The index of its first row in the batch. */
  first: number;
  /** Absent if the state is carried over. */
  rows?: (batches.BatchRow | batches.RefusedRow)[] | undefined;
  /** By row; null for rows that have not started. Rows that the API has refused have an answer from the start. */
  answers?: Answers | undefined;
}

export interface ChunkState extends ChunkRequest, batches.Direction {
  rows: NonNullable<ChunkRequest['rows']>;
  answers: Answers;
  /** The rows that an activity is starting. Abandoning the batch is too late for them. */
  starting: number[];
  /** The last report to the batch, as JSON. */
  reported?: string | undefined;
  awaiting: Awaiting;
}

/** Limits: rows that one activity starts, and rows that wait for the provider. They keep capacity for other calls. */
export const AT_ONCE = 20;
export const MOST_STARTED = 100;

/** Starts no rows before its batch has directed it. */
export const newChunk = ({ rows = [], answers, ...request }: ChunkRequest, now: Instant): ChunkState => ({
  ...{ ...request, rows, answers: answers ?? rows.map(() => null) },
  ...{ course: 'paused', version: 0, starting: [], awaiting: { what: 'batch', since: now } },
});

const placesOf = ({ answers }: ChunkState, ...outcomes: batches.RowOutcome[]): number[] =>
  answers.flatMap((answer, place) => (outcomes.includes(answer?.outcome ?? 'waiting') ? [place] : []));

export const placesToWatch = (state: ChunkState): number[] => placesOf(state, 'started', 'blocked');

/** The rows to start next. */
export const placesToStart = (state: ChunkState): number[] =>
  state.course !== 'going' || placesOf(state, 'started').length > MOST_STARTED - AT_ONCE
    ? []
    : placesOf(state, 'waiting').slice(0, AT_ONCE);

export function taskOf(state: ChunkState, places: number[]) {
  const { batch, connectionId, isDryRun, requestedBy: by, repair } = state;
  const rows = places.flatMap((place) => state.rows[place] ?? []).filter((row) => row.kind !== 'refused');
  const blocked = places.flatMap((place) => state.answers[place]?.awaiting ?? null);
  return { batch, connectionId, isDryRun, by, repair, rows, blocked };
}

/** The rows among these that an activity starts again. */
export const unansweredIn = (state: ChunkState, places: number[]): string[] =>
  places.flatMap((place) =>
    state.answers[place]?.isUnanswered === true ? (state.rows[place]?.uid ?? []) : [],
  );

/** @param answers in the order of `places`; null or missing for rows without news. */
export function applyAnswers(
  state: ChunkState,
  places: number[],
  answers: Answers,
  now: Instant,
): ChunkState {
  return endAbandoned(
    { ...state, starting: [], answers: updatedAnswers(state.answers, places, answers) },
    now,
  );
}

/** The outcome of starting them is unknown. An operator can look them up by their uids. */
export function applyUnknown(state: ChunkState, places: number[], code: string, now: Instant): ChunkState {
  const unknown = places.map(() => unknownOutcome(code, now));
  return applyAnswers(state, places, unknown, now);
}

const unknownOutcome = (code: string, now: Instant): batches.RowAnswer => {
  const detail = 'the row may or may not have started; look up its uid';
  return refusedRow([{ code, pointer: '', detail }], now, 'parked');
};

export const updateAwaiting = (state: ChunkState, now: Instant): ChunkState => {
  const isAtWork = state.course === 'going' || placesToWatch(state).length > 0;
  return setAwaiting(state, isOver(state) ? 'nothing' : isAtWork ? 'rows' : 'batch', now);
};

/** An older direction changes nothing. */
export const applyDirection = (
  state: ChunkState,
  { course, version }: batches.Direction,
  now: Instant,
): ChunkState => (version <= state.version ? state : endAbandoned({ ...state, course, version }, now));

/** In an abandoned batch, rows that have not started, and are not being started, become `abandoned`. Unanswered rows may have started. */
function endAbandoned(state: ChunkState, now: Instant): ChunkState {
  if (state.course !== 'abandoned') return state;
  const abandoned = placesOf(state, 'waiting').filter((place) => !state.starting.includes(place));
  const answers = state.answers.map((answer, place) =>
    answer?.isUnanswered === true
      ? unknownOutcome('unanswered', now)
      : abandoned.includes(place)
        ? ({ outcome: 'abandoned', at: now } as const)
        : answer,
  );
  return { ...state, answers };
}

/** Never before the batch has received all its rows. */
export const isOver = ({ version, answers }: ChunkState): boolean =>
  version > 0 && answers.every((answer) => answer !== null && isAnswer(answer.outcome));

export function reportOf(state: ChunkState): batches.ChunkReport {
  const { n, rows, answers } = state;
  const blockedAt = (place: number) => ({ uid: rows[place]?.uid ?? '', since: answers[place]?.at ?? '' });
  const blocked = placesOf(state, 'blocked').map(blockedAt);
  const amounts = amountsOf(rows, answers);
  return {
    ...{ n, counts: countsOf(answers), ...(amounts && { amounts }) },
    ...{ blocked: blockedRows(blocked), isOver: isOver(state) },
  };
}
