// What a run keeps of the rows of its own: the rows, and what became of each. Plain JSON and pure.
import { countsOf, isAnswer, refusedRow } from '../../domain/batch/rows.js';
import type {
  BatchKind,
  BatchRow,
  Counts,
  Course,
  Outcome,
  RowAnswer,
  RowView,
  RowsReport,
} from '../../domain/batch/rows.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';

/** What a run is begun with. */
export interface Asked {
  /** The id of the batch. */
  batch: string;
  /** Which of its runs this is, from 0. */
  n: number;
  /** The index in the batch of the first row. */
  first: number;
  kind: BatchKind;
  connectionId?: string | undefined;
  /** Rows are judged, and none is begun. */
  isDryRun?: true | undefined;
  /** The id of the API key that it was asked for with. */
  requestedBy: string;
  /** Absent where they are carried. */
  rows?: BatchRow[] | undefined;
}

export interface State extends Asked {
  rows: BatchRow[];
  /** By place; null of what was not begun. */
  answers: (RowAnswer | null)[];
  /** As the batch has said last; absent until it has come to these. */
  course?: Course | undefined;
  /** The places that are being begun: nothing takes that back. */
  beginning?: number[] | undefined;
  /** As it was reported to the batch last. */
  reported?: { counts: Counts; isOver: boolean } | undefined;
  awaiting: Awaiting;
}

/** So many are begun by one activity, and so many wait for the provider at a time: what else is asked of it is not kept waiting. */
export const AT_ONCE = 50;
export const MOST_BEGUN = 100;

export const newRows = ({ rows = [], ...asked }: Asked, now: Instant): State => ({
  ...asked,
  rows,
  answers: rows.map(() => null),
  awaiting: { what: 'batch', since: now },
});

const outcomeAt = ({ answers }: State, place: number): Outcome => answers[place]?.outcome ?? 'waiting';

const placesOf = (state: State, isSo: (outcome: Outcome) => boolean): number[] =>
  state.rows.flatMap((_, place) => (isSo(outcomeAt(state, place)) ? [place] : []));

export const begunPlaces = (state: State): number[] => placesOf(state, (outcome) => outcome === 'begun');

/** Which rows are to be begun now. */
export function nextPlaces(state: State): number[] {
  if (state.beginning !== undefined) return state.beginning;
  if (state.course !== 'going' || begunPlaces(state).length > MOST_BEGUN - AT_ONCE) return [];
  return placesOf(state, (outcome) => outcome === 'waiting').slice(0, AT_ONCE);
}

export const rowsAt = ({ rows }: State, places: readonly number[]): BatchRow[] =>
  places.flatMap((place) => rows[place] ?? []);

export const withBeginning = (state: State, places: number[]): State => ({ ...state, beginning: places });

/** @param answers of these places, in their order; null of one of which nothing new is known. */
export function withAnswers(
  state: State,
  places: readonly number[],
  answers: readonly (RowAnswer | null)[],
  now: Instant,
): State {
  const found = new Map(places.map((place, index) => [place, answers[index] ?? null]));
  const answered = state.answers.map((before, place) => found.get(place) ?? before);
  return settled({ ...state, answers: answered }, now);
}

export const withBegun = (
  state: State,
  places: readonly number[],
  answers: readonly RowAnswer[],
  now: Instant,
): State => withAnswers({ ...state, beginning: undefined }, places, answers, now);

/** Whether they were begun is not known: it can be asked for by their uids. */
export const withUnknown = (state: State, places: readonly number[], code: string, now: Instant): State =>
  withBegun(
    state,
    places,
    places.map(() => {
      const detail = 'whether it was begun is not known here: see what there is of its uid';
      return refusedRow([{ code, pointer: '', detail }], now, 'parked');
    }),
    now,
  );

export const withCourse = (state: State, { course }: { course: Course }, now: Instant): State =>
  settled({ ...state, course }, now);

/** Of an abandoned batch what was not begun, and is not being begun, has its answer. */
function settled(state: State, now: Instant): State {
  if (state.course !== 'abandoned') return state;
  const { beginning = [] } = state;
  const answers = state.answers.map((answer, place) =>
    answer === null && !beginning.includes(place) ? ({ outcome: 'abandoned', at: now } as const) : answer,
  );
  return { ...state, answers };
}

export const areAnswered = ({ answers }: State): boolean =>
  answers.every((answer) => answer !== null && isAnswer(answer.outcome));

/** What the batch has yet to receive. */
export function reportDue(state: State): RowsReport | undefined {
  const report = { counts: countsOf(state.answers), isOver: areAnswered(state) };
  const isReported = state.course === undefined || JSON.stringify(report) === JSON.stringify(state.reported);
  return isReported ? undefined : { n: state.n, ...report };
}

export const withReported = (state: State, { counts, isOver }: RowsReport): State => ({
  ...state,
  reported: { counts, isOver },
});

export const viewOf = ({ first, rows, answers }: State): { rows: RowView[] } => ({
  rows: rows.map(({ uid }, place) => ({ index: first + place, uid, answer: answers[place] ?? null })),
});
