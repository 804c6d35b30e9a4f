// What the loop, the steps and the failure handling need of the world around them, and nothing of Temporal.
// In production it is workflows/entity/engine/temporal.ts; model tests give them virtual time.
import type { Activities } from '../../../activities/index.js';
import type { Instant } from '../../../domain/facts/fact.js';
import type { CallFailure } from './call-failure.js';
import type { Published, Publishing } from './publish.js';
import type { Message } from '../signals.js';

/** The activities by name. One that fails for good rejects with a `CallFailed`. */
export type Calls = Readonly<Activities>;

/** What one step does, so that it can be cancelled as a whole. */
export interface Scope {
  readonly call: Calls;
  now: () => Instant;
  /**
   * Makes calls that are taken back while no worker has begun with them, once that holds.
   * @throws CallFailed `withdrawn` where that was in time: then nothing was done, for certain.
   */
  unless: <T>(isWithdrawn: () => boolean, work: (call: Calls) => Promise<T>) => Promise<T>;
  /** @returns false where a workflow has, or had, that id. */
  startChild: (child: Child) => Promise<boolean>;
  /** @returns false where no run under that id is open. */
  signal: (to: Message) => Promise<boolean>;
  /** The same within the workflow task, which saves another one; where a worker dies meanwhile it is sent twice. */
  signalWithinTask: (to: Message) => Promise<boolean>;
  /** @param summary what Temporal's UI says of the timer. */
  sleep: (ms: number, summary: string) => Promise<void>;
  cancel: () => void;
  readonly isCancelled: boolean;
}

/** A workflow that this one starts and that outlives it. */
export interface Child {
  workflow: string;
  workflowId: string;
  input: object;
  summary: string;
  attributes: Published['attributes'];
}

export interface Runtime {
  now: () => Instant;
  scope: () => Scope;
  /** Resolves once it is so, or the time is over. */
  until: (isSo: () => boolean, atMostMs?: number) => Promise<unknown>;
  /** @returns false where a workflow has, or had, that id. */
  startChild: (child: Child) => Promise<boolean>;
  /** Says in lists and in words where things stand. */
  publish: (published: Published, to: Publishing) => void;
  /** Whether a fresh run should take over. */
  isLong: () => boolean;
  areHandlersFinished: () => boolean;
}

/** An activity has failed for good. */
export class CallFailed extends Error {
  constructor(readonly failure: CallFailure) {
    super(`call failed: ${failure.code}`);
    this.name = 'CallFailed';
  }
}
