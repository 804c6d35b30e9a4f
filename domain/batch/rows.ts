// Many requests as one: the rows of a batch, what became of each, and how they are shared out among chunks. Pure.
import { bytesOf, cutToBytes } from '../facts/retention.js';
import { blockedBy } from './blocked.js';
import type { Identification } from '../agreement/action.schema.js';
import type { AwaitingWhat } from '../attention/awaiting.js';
import type { Instant } from '../facts/fact.js';
import type { BlockedRows } from './blocked.js';
import type { Mandate, PaymentOrder } from '../agreement/mandate.js';
import type { Payer } from '../agreement/payer.schema.js';
import type { PaymentHandling } from '../payment/handling.js';

export const BATCH_KINDS = ['agreements', 'payments', 'identifications'] as const;
export type BatchKind = (typeof BATCH_KINDS)[number];

/** One request of a batch. Its uid makes it one, however often it is carried out; an identification's is the agreement's. */
export type BatchRow = AgreementRow | PaymentRow | IdentificationRow;
export interface AgreementRow {
  kind: 'agreements';
  uid: string;
  mandate: Mandate;
  payer?: Payer | undefined;
}
export interface PaymentRow {
  kind: 'payments';
  uid: string;
  order: PaymentOrder;
  handling?: PaymentHandling | undefined;
}
export interface IdentificationRow {
  kind: 'identifications';
  uid: string;
  ask: Identification;
}

/** A row that is not of the form of its kind, or that the provider would not take: it has its answer before its batch starts. */
export interface RefusedRow {
  kind: 'refused';
  uid: string;
  /** As the caller sent it, for the digest of the batch; a chunk does not keep it. */
  content?: object | undefined;
}

/** A row as a batch is requested with it, and why it is refused already. */
export interface RequestedRow {
  row: BatchRow | RefusedRow;
  refusals: RowRefusal[];
}

interface OutcomeRule {
  says: string;
  /** Whether nothing more is awaited of the row. */
  isAnswer: boolean;
}

const RULES = {
  waiting: { says: 'not started', isAnswer: false },
  started: { says: 'started; the provider has not answered', isAnswer: false },
  blocked: { says: 'started; waits for a person, for consent or for the end of a stop', isAnswer: false },
  done: { says: 'the provider has it', isAnswer: true },
  passes: { says: 'would be carried out', isAnswer: true },
  refused: { says: 'refused here; nothing was sent', isAnswer: true },
  failed: { says: 'refused by the provider, or over before it was there', isAnswer: true },
  parked: { says: 'what became of it was not found out', isAnswer: true },
  abandoned: { says: 'not started, as the batch was abandoned', isAnswer: true },
} as const satisfies Record<string, OutcomeRule>;
export type Outcome = keyof typeof RULES;
export const OUTCOMES = Object.keys(RULES) as [Outcome, ...Outcome[]];

export const isAnswer = (outcome: Outcome): boolean => RULES[outcome].isAnswer;
export const outcomeInWords = (outcome: Outcome): string => RULES[outcome].says;

/** Why a row was refused, or what would refuse it. */
export interface RowRefusal {
  /** A problem's code, the provider's own, or the name of the rule of identification. */
  code: string;
  /** Into the row; the whole of it is ''. */
  pointer: string;
  detail: string;
}

/** What became of a row. */
export interface RowAnswer {
  outcome: Outcome;
  at: Instant;
  /** The state that its agreement, payment or command was in then. */
  state?: string | undefined;
  /** What a blocked row waits for. */
  awaiting?: AwaitingWhat | undefined;
  refusals?: RowRefusal[] | undefined;
}

/** So many bytes of JSON are kept of a row's refusals, and of each part of one: a chunk's answers fit into one payload. */
const REFUSALS_BYTES = 600;
const PART_BYTES = { code: 64, pointer: 128, detail: 320 } as const;

export const refusedRow = (
  refusals: readonly RowRefusal[],
  at: Instant,
  outcome: 'refused' | 'failed' | 'parked' | 'blocked' = 'refused',
): RowAnswer => ({ outcome, at, refusals: thatFit(refusals.map(shortRefusal)) });

const shortRefusal = ({ code, pointer, detail }: RowRefusal): RowRefusal => ({
  code: cutToBytes(code, PART_BYTES.code),
  pointer: cutToBytes(pointer, PART_BYTES.pointer),
  detail: cutToBytes(detail, PART_BYTES.detail),
});

/** The first ones: what they leave no room for is read where the row is sent alone. */
function thatFit(refusals: readonly RowRefusal[]): RowRefusal[] {
  const first = refusals.findIndex((_, index) => bytesOf(refusals.slice(0, index + 1)) > REFUSALS_BYTES);
  return first === -1 ? [...refusals] : refusals.slice(0, first);
}

/** A row as its batch answers it. */
export interface RowView {
  index: number;
  uid: string;
  answer: RowAnswer | null;
}

/**
 * @param places of which these are the new answers, in their order; null, or none, of one of which there is no news. A row that is still
 *   blocked keeps the time at which that was read first.
 */
export function updatedAnswers(
  all: readonly (RowAnswer | null)[],
  places: readonly number[],
  answers: readonly (RowAnswer | null)[],
): (RowAnswer | null)[] {
  const received = new Map(places.map((place, index) => [place, answers[index] ?? null]));
  return all.map((before, place) => {
    const answer = received.get(place) ?? before;
    const isStillBlocked = answer?.outcome === 'blocked' && before?.outcome === 'blocked';
    return isStillBlocked ? { ...answer, at: before.at } : answer;
  });
}

export type Counts = Partial<Record<Outcome, number>>;

export function countsOf(answers: readonly (RowAnswer | null)[]): Counts {
  const counts: Counts = {};
  for (const answer of answers) {
    const outcome = answer?.outcome ?? 'waiting';
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

export const sumOf = (all: readonly Counts[]): Counts =>
  Object.fromEntries(
    OUTCOMES.flatMap((outcome) => {
      const count = all.reduce((sum, counts) => sum + (counts[outcome] ?? 0), 0);
      return count === 0 ? [] : [[outcome, count]];
    }),
  );

/** "12 done, 3 refused here; nothing was sent" */
export const countsInWords = (counts: Counts): string =>
  OUTCOMES.flatMap((outcome) => {
    const count = counts[outcome] ?? 0;
    return count === 0 ? [] : [`${count} ${outcome}: ${outcomeInWords(outcome)}`];
  }).join('; ');

/** What one chunk keeps, rows and answers, fits into one payload of 256 KiB, whatever rows there are. */
const ROWS_OF_A_CHUNK = 200;
const BYTES_OF_A_CHUNK = 96 * 1024;

/** Shares rows out among chunks, in their order. @param weighed what of a row counts: the same in each repeat. */
export function sharedOut<Row>(rows: readonly Row[], weighed: (row: Row) => unknown = (row) => row): Row[][] {
  const chunks: Row[][] = [];
  let bytes = Infinity;
  for (const row of rows) {
    const size = bytesOf(weighed(row)) + 1;
    const last = chunks.at(-1);
    if (last === undefined || last.length >= ROWS_OF_A_CHUNK || bytes + size > BYTES_OF_A_CHUNK) {
      chunks.push([row]);
      bytes = size;
    } else {
      last.push(row);
      bytes += size;
    }
  }
  return chunks;
}

/** Rows that are in one chunk: where they are in the batch, and what became of them. */
export interface Chunk {
  first: number;
  size: number;
  counts: Counts;
}

/** None of their rows is started. @param sizes of the chunks, in order. */
export function chunksOf(sizes: readonly number[]): Chunk[] {
  let next = 0;
  return sizes.map((size) => {
    const first = next;
    next += size;
    return { first, size, counts: { waiting: size } };
  });
}

/** What a chunk reports to its batch. */
export interface ChunkReport {
  /** Which of its chunks, from 0. */
  n: number;
  counts: Counts;
  blocked: BlockedRows;
  isOver: boolean;
}

export const BATCH_COMMANDS = ['pause', 'resumption', 'abandonment'] as const;
export type BatchCommand = (typeof BATCH_COMMANDS)[number];

/** Whether rows are started. Those that have been started are followed whatever it is. */
export type Course = 'going' | 'paused' | 'abandoned';

/** The course of a batch; of two the one with the higher version is newer. */
export interface Direction {
  course: Course;
  version: number;
}

export const COURSE_AFTER: Readonly<Record<BatchCommand, Course>> = {
  pause: 'paused',
  resumption: 'going',
  abandonment: 'abandoned',
};

/** A command with its reason, and the principal that sent it. */
export interface BatchSteering {
  command: BatchCommand;
  reason: string;
  by: string;
}
export type BatchSteered = BatchSteering & { at: Instant };

/** The state of an agreement or payment that a row has started: whether the provider has answered. */
const AGREEMENT_OUTCOMES: Readonly<Record<string, Outcome>> = { pending: 'started', failed: 'failed' };
const PAYMENT_OUTCOMES: Readonly<Record<string, Outcome>> = {
  requested: 'started',
  failed: 'failed',
  lapsed: 'failed',
  withdrawn: 'failed',
  unresolved: 'failed',
};

/** @param awaiting what it waits for. */
export function outcomeOfState(
  kind: 'agreements' | 'payments',
  state: string,
  awaiting: string | undefined,
): Outcome {
  const outcomes = kind === 'agreements' ? AGREEMENT_OUTCOMES : PAYMENT_OUTCOMES;
  const outcome = outcomes[state] ?? 'done';
  return outcome === 'started' && blockedBy(awaiting) !== undefined ? 'blocked' : outcome;
}
