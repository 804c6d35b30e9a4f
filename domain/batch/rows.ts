// The rows of a batch, their outcomes, and how they are divided into chunks. Pure.
import { bytesOf, cutToBytes } from '../facts/retention.js';
import { blockedBy, type BlockedRows } from './blocked.js';
import type { Identification } from '../agreement/action.schema.js';
import type { AwaitingWhat } from '../attention/awaiting.js';
import type { Instant } from '../facts/fact.js';
import type { Mandate, PaymentOrder } from '../agreement/mandate.js';
import type { Payer } from '../agreement/payer.schema.js';
import type { PaymentHandling } from '../payment/handling.js';
import type { Resolvable } from './repair.js';

export const BATCH_KINDS = ['agreements', 'payments', 'identifications', 'retries', 'resolutions'] as const;
export type BatchKind = (typeof BATCH_KINDS)[number];

/** One request of a batch. Its uid makes it idempotent. The uid of an identification is the agreement's. */
export type BatchRow = AgreementRow | PaymentRow | IdentificationRow | RetryRow | ResolutionRow;
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
/** Retries a failed payment. */
export interface RetryRow {
  kind: 'retries';
  uid: string;
  /** The attempt that had failed when the row was found. */
  attempt: number;
  /** In cents. */
  amount?: number | undefined;
}
/** Resolves a flag of a resource. */
export interface ResolutionRow {
  kind: 'resolutions';
  uid: string;
  resource: Resolvable;
  /** When the flag was raised. */
  since: Instant;
  /** In cents. */
  amount?: number | undefined;
}

/** A row that is malformed, or that the provider would refuse. It has its answer before the batch starts. */
export interface RefusedRow {
  kind: 'refused';
  uid: string;
  /** As the caller sent it, for the digest of the batch. Chunks do not store it. */
  content?: object | undefined;
  /** Of a repair. */
  amount?: number | undefined;
  resource?: Resolvable | undefined;
}

/** A row as requested, and the reasons for which it is refused already. */
export interface RequestedRow {
  row: BatchRow | RefusedRow;
  refusals: RowRefusal[];
}

interface OutcomeRule {
  says: string;
  /** Whether the row needs no further work. */
  isAnswer: boolean;
}

const RULES = {
  waiting: { says: 'not started', isAnswer: false },
  started: { says: 'started; waiting for the provider', isAnswer: false },
  blocked: {
    says: 'waiting for a person, for consent, for the end of a stop, or for a workflow that does not answer',
    isAnswer: false,
  },
  done: { says: 'the provider has it, or the flag is resolved', isAnswer: true },
  passes: { says: 'would be carried out', isAnswer: true },
  refused: { says: 'refused before anything was sent', isAnswer: true },
  failed: { says: 'refused by the provider, failed, never sent, or given up', isAnswer: true },
  parked: { says: 'outcome unknown', isAnswer: true },
  abandoned: { says: 'not started, because the batch was abandoned', isAnswer: true },
} as const satisfies Record<string, OutcomeRule>;
export type RowOutcome = keyof typeof RULES;
export const OUTCOMES = Object.keys(RULES) as [RowOutcome, ...RowOutcome[]];

export const isAnswer = (outcome: RowOutcome): boolean => RULES[outcome].isAnswer;
export const outcomeInWords = (outcome: RowOutcome): string => RULES[outcome].says;

/** Why a row was refused, or would be. */
export interface RowRefusal {
  /** A problem code, the provider's code, or the name of an identification rule. */
  code: string;
  /** JSON pointer into the row; '' is the whole row. */
  pointer: string;
  detail: string;
}

/** The outcome of a row so far. */
export interface RowAnswer {
  outcome: RowOutcome;
  at: Instant;
  /** The state of its agreement, payment or command at that time. */
  state?: string | undefined;
  awaiting?: AwaitingWhat | undefined;
  refusals?: RowRefusal[] | undefined;
  /** A workflow did not answer when the row was started, so it may not have started. It is started again. */
  isUnanswered?: true | undefined;
}

/** Limits of a row's refusals, in bytes of JSON, so that a chunk's answers fit into one payload. */
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

/** The first refusals that fit. A caller sees the rest by sending the row alone. */
function thatFit(refusals: readonly RowRefusal[]): RowRefusal[] {
  const first = refusals.findIndex((_, index) => bytesOf(refusals.slice(0, index + 1)) > REFUSALS_BYTES);
  return first === -1 ? [...refusals] : refusals.slice(0, first);
}

/** A row as the API returns it. */
export interface RowView {
  index: number;
  uid: string;
  answer: RowAnswer | null;
  /** Of a repair: what it repairs, and its cents. */
  resource?: Resolvable | undefined;
  amount?: number | undefined;
}

/**
 * @param places indexes of `answers`, in their order. A null answer means no news. A row that is still blocked keeps the time
 *   at which it was first found blocked.
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

export type Counts = Partial<Record<RowOutcome, number>>;

export function countsOf(answers: readonly (RowAnswer | null)[]): Counts {
  const counts: Counts = {};
  for (const answer of answers) {
    const outcome = answer?.outcome ?? 'waiting';
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** Cents by outcome. Undefined if no row has an amount. */
export function amountsOf(
  rows: readonly object[],
  answers: readonly (RowAnswer | null)[],
): Counts | undefined {
  const amounts: Counts = {};
  for (const [place, row] of rows.entries()) {
    const amount: unknown = Reflect.get(row, 'amount');
    const outcome = answers[place]?.outcome ?? 'waiting';
    if (typeof amount === 'number') amounts[outcome] = (amounts[outcome] ?? 0) + amount;
  }
  return Object.keys(amounts).length === 0 ? undefined : amounts;
}

export const sumOf = (all: readonly Counts[]): Counts =>
  Object.fromEntries(
    OUTCOMES.flatMap((outcome) => {
      const count = all.reduce((sum, counts) => sum + (counts[outcome] ?? 0), 0);
      return count === 0 ? [] : [[outcome, count]];
    }),
  );

/** For example "12 done: the provider has it; 3 refused: refused before anything was sent". */
export const countsInWords = (counts: Counts): string =>
  OUTCOMES.flatMap((outcome) => {
    const count = counts[outcome] ?? 0;
    return count === 0 ? [] : [`${count} ${outcome}: ${outcomeInWords(outcome)}`];
  }).join('; ');

/** A chunk's rows and answers fit into one payload of 256 KiB, whatever the rows contain. */
const ROWS_OF_A_CHUNK = 200;
const BYTES_OF_A_CHUNK = 96 * 1024;

/** Divides rows into chunks, in order. @param weighed the part of a row whose size counts; identical in each repeat. */
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

/** The rows of one chunk: their place in the batch, and their counts. */
export interface Chunk {
  first: number;
  size: number;
  counts: Counts;
  /** Cents by outcome, once the chunk has reported, if its rows have amounts. */
  amounts?: Counts | undefined;
}

/** Chunks whose rows have not started. @param sizes of the chunks, in order. */
export function chunksOf(sizes: readonly number[]): Chunk[] {
  let next = 0;
  return sizes.map((size) => {
    const first = next;
    next += size;
    return { first, size, counts: { waiting: size } };
  });
}

/** The report of a chunk to its batch. */
export interface ChunkReport {
  /** Index of the chunk, from 0. */
  n: number;
  counts: Counts;
  amounts?: Counts | undefined;
  blocked: BlockedRows;
  isOver: boolean;
}

export const BATCH_COMMANDS = ['pause', 'resumption', 'abandonment'] as const;
export type BatchCommand = (typeof BATCH_COMMANDS)[number];

/** Whether new rows start. Started rows are always followed. */
export type Course = 'going' | 'paused' | 'abandoned';

/** The course of a batch. A higher version is newer. */
export interface Direction {
  course: Course;
  version: number;
}

export const COURSE_AFTER: Readonly<Record<BatchCommand, Course>> = {
  pause: 'paused',
  resumption: 'going',
  abandonment: 'abandoned',
};

export interface BatchSteering {
  command: BatchCommand;
  reason: string;
  by: string;
}
export type BatchSteered = BatchSteering & { at: Instant };

/** The outcome of a row by the state of its agreement or payment; other states are `done`. */
const AGREEMENT_OUTCOMES: Readonly<Record<string, RowOutcome>> = { pending: 'started', failed: 'failed' };
const PAYMENT_OUTCOMES: Readonly<Record<string, RowOutcome>> = {
  requested: 'started',
  failed: 'failed',
  lapsed: 'failed',
  withdrawn: 'failed',
  unresolved: 'failed',
};

const RETRY_OUTCOMES: Readonly<Record<string, RowOutcome>> = { ...PAYMENT_OUTCOMES, retrying: 'started' };
const OUTCOMES_OF = {
  agreements: AGREEMENT_OUTCOMES,
  payments: PAYMENT_OUTCOMES,
  retries: RETRY_OUTCOMES,
} as const satisfies Partial<Record<BatchKind, unknown>>;

/** @param awaiting what the agreement or payment waits for. */
export function outcomeOfState(
  kind: keyof typeof OUTCOMES_OF,
  state: string,
  awaiting: string | undefined,
): RowOutcome {
  const outcome = OUTCOMES_OF[kind][state] ?? 'done';
  return outcome === 'started' && blockedBy(awaiting) !== undefined ? 'blocked' : outcome;
}
