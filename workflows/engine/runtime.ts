// Everything that the loop and the steps need from outside, without Temporal's SDK. Production uses temporal.ts. Model tests use virtual time.
import type { Activities } from '../../activities/index.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { CallFailure } from './call-failure.js';
import type { Published, Publishing } from './publish.js';
import type { Message } from '../contracts/signals.js';
import type { RecordBatch } from '../../domain/records/batch.js';

/** The activities by name. A call that fails for good rejects with a `CallFailed`. */
export type Calls = Readonly<Activities>;

/** The operations of one step, which can be cancelled together. */
export interface Scope {
  readonly call: Calls;
  now: () => Instant;
  /**
   * Makes calls, and withdraws them if `isWithdrawn` becomes true before a worker has started them.
   * @throws CallFailed `withdrawn` if the calls were withdrawn in time: then they certainly had no effect.
   */
  unless: <T>(isWithdrawn: () => boolean, work: (call: Calls) => Promise<T>) => Promise<T>;
  /** @returns false if a workflow with that id exists or existed. */
  startChild: (child: Child) => Promise<boolean>;
  /** @returns false if no run with that id is open. */
  signal: (to: Message) => Promise<boolean>;
  /** @param summary the text for this timer in Temporal's UI. */
  sleep: (ms: number, summary: string) => Promise<void>;
  cancel: () => void;
  readonly isCancelled: boolean;
}

/** A child workflow that outlives its parent. */
export interface Child {
  workflow: string;
  workflowId: string;
  input: object;
  summary: string;
  attributes: Published['attributes'];
}

/** What hands batches to the records. */
export interface BatchSender {
  runId: () => string;
  /** The run that has started the chain of runs. A reset keeps it. */
  firstRunId: () => string;
  /** Grows with each workflow task. */
  taskNumber: () => number;
  /** Hands a batch to the worker, which stores it before the task completes. Not a command. */
  send: (batch: RecordBatch) => void;
}

export interface Runtime extends BatchSender {
  now: () => Instant;
  scope: () => Scope;
  /** Resolves when the predicate is true or the time has passed. */
  until: (isSo: () => boolean, atMostMs?: number) => Promise<unknown>;
  /** @returns false if a workflow with that id exists or existed. */
  startChild: (child: Child) => Promise<boolean>;
  /** Updates the search attributes and the page of the workflow. */
  publish: (published: Published, to: Publishing) => void;
  /** Whether the run should continue as new. */
  isLong: () => boolean;
  areHandlersFinished: () => boolean;
}

/** An activity failed for good. */
export class CallFailed extends Error {
  constructor(readonly failure: CallFailure) {
    super(`call failed: ${failure.code}`);
    this.name = 'CallFailed';
  }
}

/** For a call whose failure is an outcome, such as the end of its time limit. */
export function noneIfFailed(error: unknown): undefined {
  if (!(error instanceof CallFailed)) throw error;
}
