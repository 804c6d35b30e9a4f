// What outsiders know of every workflow: signals that all take, and what is alike in each view of what is followed.
import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Instant } from '../../domain/facts/fact.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { AttentionResolution } from '../../domain/attention/resolution.js';
import type { Reporter } from './signals.js';

export { carry, upgrade, type Carried } from './engine/upgrade.js';
export type { Message } from './signals.js';

/** `unknown`: adopted, and the provider did not know it in a whole day. */
export type ViewState<LifecycleState extends string> = LifecycleState | 'unknown';

/** What callers read of anything that is followed at the provider. */
export interface ResourceView<LifecycleState extends string> {
  uid: string;
  connectionId?: string | undefined;
  state: ViewState<LifecycleState>;
  stateSince: Instant;
  awaiting: Awaiting;
  attention: Attention[];
  lastFactAt?: Instant | undefined;
}

/** Says nothing but makes a run that rests see whether a newer release is current, to which it then hands over. */
export const handOver = defineSignal('handOver');

/** The connection has consent again: what was blocked for want of it goes on. */
export const connectionRestored = defineSignal('connectionRestored');

/** An onboarding waits for this workflow, and receives a report of each change. */
export const reportTo = defineSignal<[Reporter]>('reportTo');

/** Has the provider asked, now. Refused with `agreement_unknown` or `payment_unknown`. */
export const lookUpNow = defineUpdate<void, []>('lookUpNow');
/** An operator has settled what a flag warned of. Refused with `no_such_attention`, `decision_needed` or `resolution_key_conflict`. */
export const resolveAttention = defineUpdate<void, [AttentionResolution]>('resolveAttention');

/** The task queues of a worker: workflows and what moves money or tokens are on the one that is configured, the others beside it. */
export const QUEUES = ['money', 'reads', 'sweeps'] as const;
export type Queue = (typeof QUEUES)[number];

/** @param taskQueue that is configured, and that the workflows are on. */
export const taskQueueOf = (taskQueue: string, queue: Queue): string =>
  queue === 'money' ? taskQueue : `${taskQueue}-${queue}`;

/** Temporal lets a fairness key have so many bytes. */
const LONGEST_KEY = 64;

/**
 * Whose turn a run's task or a call is at Temporal, so that one connection's thousands delay no other's few (docs/decisions/0014-queues-and-fairness.md).
 * @param args of a call, or the input of a run: what it starts inherits the key.
 */
export function fairnessOf(args: unknown): { fairnessKey?: string } {
  if (typeof args !== 'object' || args === null) return {};
  const connectionId: unknown = Reflect.get(args, 'connectionId');
  return typeof connectionId === 'string' ? { fairnessKey: connectionId.slice(0, LONGEST_KEY) } : {};
}
