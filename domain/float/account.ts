// A float account as the provider shows it, and what we follow of it.
import type { Instant } from '../facts/fact.js';
import type { ChainBreak, ChainPlace } from './chain.js';

/** The provider's fields (docs/provider.md#float-accounts). */
export interface FloatAccountSnapshot {
  title?: string | undefined;
  bankName?: string | undefined;
  branchCode?: string | undefined;
  accountNumber?: string | undefined;
  status?: string | undefined;
}

/** How far the entries were read. */
export interface FloatProgress {
  /** The first reading has ended. */
  isRead?: true | undefined;
  /** The newest entry that is stored. */
  newest?: { id: string; at: Instant } | undefined;
  chain?: ChainPlace | undefined;
  /** Before the first break that the last check found. */
  beforeBreak?: ChainPlace | undefined;
  /** The balance after the newest entry, in cents. */
  balance?: number | undefined;
}

/** What a reading reads and checks again, besides new entries. */
export interface ReadAgain {
  /** All entries from this time on. Undefined: all that the provider lists. */
  from: Instant | undefined;
  /** Where the check of the chain starts. Undefined: at the last instant before `from`. */
  place?: ChainPlace | undefined;
  /** For breaks: until this time, each reading looks again. Undefined: an operator asked for one reading. */
  until?: Instant | undefined;
  /** The later entries of the breaks that are not resolved. If one of these breaks is gone, that is news. */
  brokenAt: readonly string[];
}

/** What one reading of new entries has found. */
export interface FloatReading {
  account: FloatAccountSnapshot;
  progress: FloatProgress;
  /** In the records. */
  entryCount: number;
  /** Without an id, a time or an amount. They are not stored. */
  unreadable: number;
  /** The provider no longer lists the entry that was the newest before, so entries between may be missing. */
  isGap: boolean;
  /** Found in what was checked, the newest `MOST_BREAKS`, oldest first. */
  breaks: ChainBreak[];
  /** The chain was checked from this instant on. Undefined: from the first entry. */
  checkedFrom?: Instant | undefined;
}

export const MOST_BREAKS = 20;

export const CHAIN_STATES = ['whole', 'broken'] as const;
/** Whether every entry starts at the balance that the one before it left. */
export type ChainState = (typeof CHAIN_STATES)[number];

/** `reading`: the first reading has not ended. `blocked`: the connection has no consent or lacks the scope, or the provider no longer has the account. */
export const FLOAT_ACCOUNT_STATES = ['reading', 'followed', 'blocked'] as const;
