// The messages and types of the workflow that follows a float account.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Attention } from '../../domain/attention/flags.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { FloatAccountSnapshot, FloatAccountState, FloatProgress } from '../../domain/float/account.js';
import type { ChainBreak } from '../../domain/float/chain.js';
import type { Carried } from '../contracts/upgrade.js';
import type { Recorded } from '../engine/recording.js';

export const FLOAT_ACCOUNT_WORKFLOW = 'float-account';
/** @param uid the provider's id of the account. */
export { floatAccountWorkflowId } from '../contracts/signals.js';

export interface FloatAccountInput {
  uid: string;
  connectionId: string;
  /** Set by continue-as-new. */
  carried?: Carried<State> | undefined;
}

/** An operator has compared the entries that a flag named. */
export interface Acknowledgement {
  /** The principal. */
  by: string;
  reason: string;
  at: Instant;
}

/** Why an account cannot be read. */
export type BlockedCode = 'needs_reauthorisation' | 'forbidden' | 'not_found';

export interface State extends Recorded {
  uid: string;
  connectionId: string;
  startedAt: Instant;
  account: FloatAccountSnapshot;
  progress: FloatProgress;
  entryCount: number;
  unreadableCount: number;
  /** The newest last. */
  breaks: ChainBreak[];
  /** The newest entry before a reading that did not find it again. */
  gaps: string[];
  /** The newest last. */
  acknowledgements: Acknowledgement[];
  awaiting: Awaiting;
  stateSince: Instant;
  /** Why the provider cannot be asked. */
  blocked?: { code: BlockedCode; since: Instant } | undefined;
}

export interface FloatAccountView extends FloatAccountSnapshot {
  uid: string;
  connectionId: string;
  state: FloatAccountState;
  stateSince: Instant;
  awaiting: Awaiting;
  attention: Attention[];
  requestedAt: Instant;
  /** In cents. Absent until the first entry is read. */
  balance?: number | undefined;
  entryCount: number;
  unreadableCount: number;
  lastEntry?: { id: string; at: Instant } | undefined;
  breaks: ChainBreak[];
  acknowledgements: Acknowledgement[];
}

/** A notification about this account arrived: look for new entries. */
export const floatAccountMoved = defineSignal('floatAccountMoved');
/** Lowers the flag `float_chain`. A repeat changes nothing. */
export const acknowledgeBreak = defineUpdate<FloatAccountView, [Omit<Acknowledgement, 'at'>]>(
  'acknowledgeBreak',
);
export const getFloatAccount = defineQuery<FloatAccountView>('getFloatAccount');
