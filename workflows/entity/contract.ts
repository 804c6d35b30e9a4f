// What outsiders know of every story: signals that all take, and what is alike in each view of what is followed.
import { defineSignal } from '@temporalio/workflow';
import type { Instant } from '../../domain/fact.js';
import type { Attention, Awaiting } from '../../domain/legible.js';

export { upgrade, type Carried } from './upgrade.js';

/** `unknown`: adopted, and the provider did not know it in a whole day. */
export type ViewState<LifeState extends string> = LifeState | 'unknown';

/** What callers read of anything that is followed at the provider. */
export interface FollowedView<LifeState extends string> {
  uid: string;
  connectionId?: string | undefined;
  state: ViewState<LifeState>;
  stateSince: Instant;
  awaiting: Awaiting;
  attention: Attention[];
  lastFactAt?: Instant | undefined;
}

/** Says nothing but makes a run that rests see whether a newer release is current, to which it then hands over. */
export const handOver = defineSignal('handOver');

/** The connection has consent again: what was blocked for want of it goes on. */
export const connectionRestored = defineSignal('connectionRestored');
