// What every workflow accepts from outside, and the view that all resource workflows share.
import { defineQuery, defineSignal, defineUpdate, type Sinks } from '@temporalio/workflow';
import type { Fact, FactSource, Instant } from '../../domain/facts/fact.js';
import type { EventResource } from '../../domain/resources.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { AttentionResolution } from '../../domain/attention/resolution.js';
import type { RecordBatch } from '../../domain/records/batch.js';
import type { Reporter } from './signals.js';

export { carry, upgrade, type Carried, type ResourceEnd } from './upgrade.js';
export type { Message } from './signals.js';

/** `unknown`: an adopted resource that the provider did not have during a whole day of polling. */
export type ViewState<LifecycleState extends string> = LifecycleState | 'unknown';

/** The part of a view that all resources of the provider have in common. */
export interface ResourceView<LifecycleState extends string> {
  uid: string;
  connectionId?: string | undefined;
  state: ViewState<LifecycleState>;
  stateSince: Instant;
  /** How `stateSince` is known; absent while no fact has entered the state. */
  stateSinceSource?: FactSource | undefined;
  awaiting: Awaiting;
  attention: Attention[];
  lastFactAt?: Instant | undefined;
}

/** Makes an idle run check for a newer worker release. If there is one, the run continues as new on it. */
export const handOver = defineSignal('handOver');

/** Called outside of the workflow at the end of a task, without an event (worker/record-sink.ts). */
export interface RecordSinks extends Sinks {
  records: {
    store: (batch: RecordBatch) => void;
  };
}

/**
 * The worker could not store changes of this workflow in the records. From now on an activity does, until it has stored once.
 * @param stored the newest batch that the records may have. Later ones are stored again.
 */
export const recordsAway = defineSignal<[stored: number]>('recordsAway');

/** A problem that others have found, for an operator. */
export const raiseFlag = defineSignal<[Attention]>('raiseFlag');

/** Everything that a recorded workflow still knows, for records that have lost or never had it. */
export const getRecord = defineQuery<RecordBatch>('getRecord');

/** The error of a query of a run that still waits for its record, or has found it gone. */
export const READS_FIRST = 'this run reads its record first; repeat the query';

/** The connection has consent again. Blocked workflows resume. */
export const connectionRestored = defineSignal('connectionRestored');

/** An onboarding waits for this workflow, and receives a report of each change. */
export const reportTo = defineSignal<[Reporter]>('reportTo');

/** Looks the resource up at the provider now. Refused with `agreement_unknown` or `payment_unknown`. */
export const lookUpNow = defineUpdate<void, []>('lookUpNow');
/** An operator resolves an attention flag. Refused with `no_such_attention`, `decision_needed` or `resolution_key_conflict`. */
export const resolveAttention = defineUpdate<void, [AttentionResolution]>('resolveAttention');

/** What every resource of the provider accepts that can be looked up. */
export const followedMessages = { connectionRestored, lookUpNow, resolveAttention };

/** What every resource accepts that events of the provider can name. The names of its signals contain the resource, for Temporal's UI. */
export const eventMessagesOf = (resource: EventResource) => ({
  ...followedMessages,
  /** An event of the provider about this resource. It is stored once the signal call returns. */
  fact: defineSignal<[Fact]>(`${resource}Fact`),
  /** A sweep has seen it at the provider in another state. */
  differs: defineSignal(`${resource}Differs`),
});

/**
 * The task queues of a worker. `money` serves workflow tasks and all calls that move money or tokens. `records` serves what could not be stored
 * within its workflow task, and has few slots. `events` delivers webhooks, with a slot for each endpoint.
 */
export const QUEUES = ['money', 'reads', 'sweeps', 'records', 'events'] as const;
export type Queue = (typeof QUEUES)[number];

/** @param taskQueue the configured name. The `money` queue uses it unchanged. */
export const taskQueueOf = (taskQueue: string, queue: Queue): string =>
  queue === 'money' ? taskQueue : `${taskQueue}-${queue}`;

/** Temporal's limit for a fairness key, in bytes. */
const LONGEST_KEY = 64;

/**
 * The Temporal fairness key of a workflow task or an activity: its connection. Thousands of tasks of one connection must not delay the few of
 * another (docs/decisions/0014-queues-and-fairness.md).
 * @param args the arguments of an activity, or the input of a run. Its children and activities inherit the key.
 */
export function fairnessOf(args: unknown): { fairnessKey?: string } {
  if (typeof args !== 'object' || args === null) return {};
  const connectionId: unknown = Reflect.get(args, 'connectionId');
  return typeof connectionId === 'string' ? { fairnessKey: connectionId.slice(0, LONGEST_KEY) } : {};
}
