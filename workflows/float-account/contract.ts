// The messages and types of the workflow that follows a float account.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { FloatAccountSnapshot, FloatProgress } from '../../domain/float/account.js';
import type { ChainBreak } from '../../domain/float/chain.js';
import type { Carried } from '../contracts/upgrade.js';
import type { Recorded } from '../engine/recording.js';
import type { viewOf } from './view.js';

export const FLOAT_ACCOUNT_WORKFLOW = 'float-account';
/** @param uid the provider's id of the account. */
export { floatAccountWorkflowId } from '../contracts/signals.js';

export interface FloatAccountInput {
  uid: string;
  connectionId: string;
  /** Set by continue-as-new. */
  carried?: Carried<FloatAccountState> | undefined;
}

/** An operator has compared the entries that a flag named. */
export interface Acknowledgement {
  /** The principal. */
  by: string;
  reason: string;
  at: Instant;
}

/** A break of the chain, and when a later check no longer found it. */
export interface FoundBreak extends ChainBreak {
  foundAt: Instant;
  mendedAt?: Instant | undefined;
}

/** An operator asks to read entries again. */
export interface ReadingRequest {
  /** Entries from this time on. Undefined: all that the provider lists. */
  from?: Instant | undefined;
  reason: string;
  /** The principal. */
  by: string;
}

/** A requested reading that has not ended. */
export interface RequestedReading {
  from: Instant | undefined;
  since: Instant;
}

/** Why an account cannot be read. */
export type BlockedCode = 'needs_reauthorisation' | 'forbidden' | 'not_found';

export interface FloatAccountState extends Recorded {
  uid: string;
  connectionId: string;
  startedAt: Instant;
  account: FloatAccountSnapshot;
  progress: FloatProgress;
  entryCount: number;
  unreadableCount: number;
  /** The newest last. */
  breaks: FoundBreak[];
  /** When the chain was last broken or became whole. */
  chainSince: Instant;
  /** The newest entry before a reading that did not find it again. */
  gaps: string[];
  /** The last gap, until an operator acknowledges it. */
  openGap?: string | undefined;
  reading?: RequestedReading | undefined;
  /** The newest last. */
  readingRequests: (ReadingRequest & { at: Instant })[];
  /** The newest last. */
  acknowledgements: Acknowledgement[];
  awaiting: Awaiting;
  stateSince: Instant;
  /** Why the provider cannot be asked. */
  blocked?: { code: BlockedCode; since: Instant } | undefined;
}

export type FloatAccountView = ReturnType<typeof viewOf>;

/** A notification about this account arrived: look for new entries. */
export const floatAccountMoved = defineSignal('floatAccountMoved');
/** Lowers the flag `float_chain`. A repeat changes nothing. */
export const acknowledgeBreak = defineUpdate<FloatAccountView, [Omit<Acknowledgement, 'at'>]>(
  'acknowledgeBreak',
);
/** A repeat of a reading that has not ended changes nothing. Refused with `float_account_blocked`. */
export const requestReading = defineUpdate<FloatAccountView, [ReadingRequest]>('requestReading');
export const getFloatAccount = defineQuery<FloatAccountView>('getFloatAccount');
