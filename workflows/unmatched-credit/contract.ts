// The messages and types of a case: a credit to a float account that the provider could not match.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';
import type { CreditEntry, CreditReport, CreditResolution } from '../../domain/float/credit.js';
import type { Carried } from '../contracts/upgrade.js';
import type { Recorded } from '../engine/recording.js';
import type { viewOf } from './view.js';

export const UNMATCHED_CREDIT_WORKFLOW = 'unmatched-credit';
/** @param uid the id of the notification, or of the entry if there was none. */
export { unmatchedCreditWorkflowId } from '../contracts/signals.js';

/** Whether the case has its notification. A repeated notification then needs no signal. */
export const REPORTED_MEMO = 'reported';
export type ReportedMemo = 'no' | 'hint' | 'fact' | `fact of ${string}`;
/** A notification that one connection signed must not replace that of another. */
export function reportedBy(fact: Fact | undefined): ReportedMemo {
  if (fact === undefined) return 'no';
  if (!fact.authenticated) return 'hint';
  return fact.provenConnectionId === undefined ? 'fact' : `fact of ${fact.provenConnectionId}`;
}

export interface UnmatchedCreditInput {
  uid: string;
  accountUid: string;
  /** The notification. Absent if the case starts from the entry of the account. */
  fact?: Fact | undefined;
  /** Set by continue-as-new. */
  carried?: Carried<CreditState> | undefined;
}

export interface CreditState extends Recorded {
  uid: string;
  accountUid: string;
  /** Of the account, once the entry is confirmed. */
  connectionId?: string | undefined;
  startedAt: Instant;
  facts: Fact[];
  report?: CreditReport | undefined;
  entry?: CreditEntry | undefined;
  confirmedAt?: Instant | undefined;
  /** How long an open case may wait for a decision before it is flagged, in milliseconds. */
  decideWithinMs?: number | undefined;
  resolution?: (CreditResolution & { at: Instant }) | undefined;
  joined?: Joined | undefined;
  awaiting: Awaiting;
  stateSince: Instant;
}

/** The case that has the entry of this credit. */
export interface Joined {
  uid: string;
  at: Instant;
}

export type UnmatchedCreditView = ReturnType<typeof viewOf>;

/** The result of a run. */
export type UnmatchedCreditEnd = UnmatchedCreditView;

/** The notification of a case that started from its entry. */
export const creditReported = defineSignal<[Fact]>('creditReported');
/** The notification of another id, for a case that started from its entry. Refused with `credit_resolved` if it has one, or was decided. */
export const joinReport = defineUpdate<void, [Fact]>('joinReport');
/** Ends the case. Refused with `credit_resolved` or `credit_unconfirmed`. A repeat changes nothing. */
export const resolveCredit = defineUpdate<UnmatchedCreditView, [CreditResolution]>('resolveCredit');
export const getUnmatchedCredit = defineQuery<UnmatchedCreditView>('getUnmatchedCredit');
