// What a batch keeps: how far each of its runs has come, and what it was commanded. Plain JSON and pure. The rows are with their runs.
import { COURSE_AFTER, runsOf } from '../../domain/batch/rows.js';
import { raise } from '../../domain/attention/flags.js';
import { refused } from '../entity/engine/refusal.js';
import type {
  BatchKind,
  BatchWord,
  BatchWordTaken,
  Course,
  RowsReport,
  RunOfRows,
} from '../../domain/batch/rows.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';

/** What a batch is begun with. */
export interface Asked {
  id: string;
  kind: BatchKind;
  connectionId?: string | undefined;
  isDryRun?: true | undefined;
  /** How many rows each of its runs holds. */
  sizes: number[];
  /** Of all that was asked: a repeat says the same. */
  digest: string;
  /** The id of the API key that it was asked for with. */
  requestedBy: string;
}

/** One run of rows. */
export interface Run extends RunOfRows {
  /** How it was directed last. */
  directed?: Course | undefined;
  isOver?: true | undefined;
}

export interface State extends Omit<Asked, 'sizes'> {
  requestedAt: Instant;
  runs: Run[];
  isReceived?: true | undefined;
  /** The time in which its rows were to come is over. */
  isIncomplete?: true | undefined;
  course: Course;
  words: BatchWordTaken[];
  attention: Attention[];
  awaiting: Awaiting;
}

/** Of more the newest are kept. */
const WORDS_KEPT = 20;

export function newBatch({ sizes, ...asked }: Asked, now: Instant): State {
  return {
    ...asked,
    requestedAt: now,
    runs: runsOf(sizes),
    course: 'going',
    words: [],
    attention: [],
    awaiting: { what: 'rows', since: now },
  };
}

export const isOver = ({ runs }: State): boolean => runs.every((run) => run.isOver === true);

/** The run whose rows are begun now; those before it are over. */
export const currentRun = ({ runs }: State): number => runs.findIndex((run) => run.isOver !== true);

/** Which run has to be directed how. All are abandoned at once, and the current one alone is to go on. */
export function directionDue(state: State): { n: number; course: Course } | undefined {
  const { runs, course } = state;
  if (course === 'abandoned') {
    const n = runs.findIndex((run) => run.isOver !== true && run.directed !== course);
    return n === -1 ? undefined : { n, course };
  }
  const n = currentRun(state);
  const directed = runs[n]?.directed;
  const isDone = directed === course || (directed === undefined && course === 'paused');
  return n === -1 || isDone ? undefined : { n, course };
}

const withRun = (state: State, n: number, by: (run: Run) => Run): State => ({
  ...state,
  runs: state.runs.map((run, index) => (index === n ? by(run) : run)),
});

/** @param isHeard false where no such run is open: its rows never came, or it was ended by force. */
export function withDirected(
  state: State,
  { n, course }: { n: number; course: Course },
  isHeard: boolean,
  now: Instant,
): State {
  if (isHeard) return withRun(state, n, (run) => ({ ...run, directed: course }));
  const run = state.runs[n];
  if (run === undefined || run.isOver === true) return state;
  if (state.isIncomplete === true)
    return withRun(state, n, (of) => ({ ...of, counts: { abandoned: of.size }, isOver: true }));
  const lost = withRun(state, n, (of) => ({ ...of, counts: { parked: of.size }, isOver: true }));
  return {
    ...lost,
    attention: raise(lost.attention, {
      code: 'unknown_outcome',
      since: now,
      detail: `The run of the rows from ${run.first} on was ended by force; what became of them is not known here.`,
      next: 'See by its uid what there is of each of these rows. A new batch of the same rows begins none a second time.',
    }),
  };
}

export const withReport = (state: State, { n, counts, isOver: isRunOver }: RowsReport): State =>
  withRun(state, n, (run) => ({ ...run, counts, ...(isRunOver && { isOver: true }) }));

export const withReceived = (state: State): State =>
  state.isIncomplete === true ? state : { ...state, isReceived: true };

export const withoutRows = (state: State): State => ({ ...state, isIncomplete: true, course: 'abandoned' });

/** @throws ApplicationFailure `batch_over` */
export function assertSteerable(state: State, { command }: BatchWord): void {
  const isRepeat = state.course === COURSE_AFTER[command];
  if (isRepeat || (state.course !== 'abandoned' && !isOver(state))) return;
  throw refused('batch_over', 'Expected a batch that is neither over nor abandoned.');
}

/** What is so already changes nothing: the first reason stands. */
export function withWord(state: State, word: BatchWord, now: Instant): State {
  const course = COURSE_AFTER[word.command];
  if (state.course === course) return state;
  return { ...state, course, words: [...state.words, { ...word, at: now }].slice(-WORDS_KEPT) };
}
