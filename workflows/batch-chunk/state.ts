// What a chunk keeps: its rows, and what became of each. Plain JSON and pure.
import { blockedRows } from '../../domain/batch/blocked.js';
import { countsOf, isAnswer, refusedRow, updatedAnswers } from '../../domain/batch/rows.js';
import { setAwaiting } from '../entity/resource/state.js';
import type * as batches from '../../domain/batch/rows.js';
import type { BatchRequest } from '../batch/contract.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';

type Answers = (batches.RowAnswer | null)[];

/** What a chunk is started with. */
export interface ChunkRequest extends Omit<BatchRequest, 'id' | 'sizes' | 'digest'> {
  /** The id of the batch. */
  batch: string;
  /** Which of its chunks this is, from 0. */
  n: number;
  /** The index in the batch of the first row. */
  first: number;
  /** Absent where they are carried. */
  rows?: (batches.BatchRow | batches.RefusedRow)[] | undefined;
  /** By place; null of what was not started. Those that the API has refused have theirs from the start. */
  answers?: Answers | undefined;
}

export interface State extends ChunkRequest, batches.Direction {
  rows: NonNullable<ChunkRequest['rows']>;
  answers: Answers;
  /** The places that an activity is starting: an abandonment comes too late for them. */
  starting: number[];
  /** As it was reported to the batch last, in JSON. */
  reported?: string | undefined;
  awaiting: Awaiting;
}

/** So many are started by one activity, and so many wait for the provider at a time: what else calls it is not delayed. */
export const AT_ONCE = 20;
export const MOST_STARTED = 100;

/** Until its batch has directed it, it starts nothing. */
export const newChunk = ({ rows = [], answers, ...request }: ChunkRequest, now: Instant): State => ({
  ...{ ...request, rows, answers: answers ?? rows.map(() => null) },
  ...{ course: 'paused', version: 0, starting: [], awaiting: { what: 'batch', since: now } },
});

const placesOf = ({ answers }: State, ...outcomes: batches.Outcome[]): number[] =>
  answers.flatMap((answer, place) => (outcomes.includes(answer?.outcome ?? 'waiting') ? [place] : []));

export const placesToWatch = (state: State): number[] => placesOf(state, 'started', 'blocked');

/** Which rows are started next. */
export const placesToStart = (state: State): number[] =>
  state.course !== 'going' || placesOf(state, 'started').length > MOST_STARTED - AT_ONCE
    ? []
    : placesOf(state, 'waiting').slice(0, AT_ONCE);

export function taskOf(state: State, places: number[]) {
  const { batch, connectionId, isDryRun, requestedBy: by } = state;
  const rows = places.flatMap((place) => state.rows[place] ?? []).filter((row) => row.kind !== 'refused');
  const blocked = places.flatMap((place) => state.answers[place]?.awaiting ?? null);
  return { batch, connectionId, isDryRun, by, rows, blocked };
}

/** @param answers of these places, in their order; null, or none, of one of which there is no news. */
export function recordAnswers(state: State, places: number[], answers: Answers, now: Instant): State {
  return settleAbandoned(
    { ...state, starting: [], answers: updatedAnswers(state.answers, places, answers) },
    now,
  );
}

/** Whether they were started is not certain: an operator can find out by their uids. */
export function recordUnknown(state: State, places: number[], code: string, now: Instant): State {
  const detail = 'whether it was started is not certain: see what there is of its uid';
  const answer = refusedRow([{ code, pointer: '', detail }], now, 'parked');
  const unknown = places.map(() => answer);
  return recordAnswers(state, places, unknown, now);
}

export const updateAwaiting = (state: State, now: Instant): State => {
  const isAtWork = state.course === 'going' || placesToWatch(state).length > 0;
  return setAwaiting(state, isOver(state) ? 'nothing' : isAtWork ? 'rows' : 'batch', now);
};

/** An older direction changes nothing. */
export const recordDirection = (state: State, { course, version }: batches.Direction, now: Instant): State =>
  version <= state.version ? state : settleAbandoned({ ...state, course, version }, now);

/** Of an abandoned batch what was not started, and is not being started, has its answer. */
function settleAbandoned(state: State, now: Instant): State {
  if (state.course !== 'abandoned') return state;
  const abandoned = placesOf(state, 'waiting').filter((place) => !state.starting.includes(place));
  const answers = state.answers.map((answer, place) =>
    abandoned.includes(place) ? ({ outcome: 'abandoned', at: now } as const) : answer,
  );
  return { ...state, answers };
}

/** Not before its batch has all of its rows. */
export const isOver = ({ version, answers }: State): boolean =>
  version > 0 && answers.every((answer) => answer !== null && isAnswer(answer.outcome));

export function reportOf(state: State): batches.ChunkReport {
  const { n, rows, answers } = state;
  const blockedAt = (place: number) => ({ uid: rows[place]?.uid ?? '', since: answers[place]?.at ?? '' });
  const blocked = placesOf(state, 'blocked').map(blockedAt);
  return { n, counts: countsOf(answers), blocked: blockedRows(blocked), isOver: isOver(state) };
}
