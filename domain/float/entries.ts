// What the records store and read of the entries of float accounts.
import type { Instant } from '../facts/fact.js';
import type { FloatEntry } from './chain.js';

/** An entry with the provider's text, which may name a person. */
export interface NewFloatEntry extends FloatEntry {
  description: string | undefined;
}

/** A stored entry, and what explains it. */
export interface MatchedFloatEntry extends FloatEntry {
  /** The payment or refund of the same amount that the entry names. */
  paymentUid?: string | undefined;
  refundUid?: string | undefined;
  /** Its case and the state of that, if it is an unmatched credit. */
  caseUid?: string | undefined;
  caseState?: string | undefined;
}

export interface StoredFloatEntry extends MatchedFloatEntry {
  description: string | undefined;
}

/** Whether a payment, a refund or an operator's decision explains the entry. */
export const isMatched = ({ paymentUid, refundUid, caseState }: MatchedFloatEntry): boolean =>
  paymentUid !== undefined || refundUid !== undefined || caseState === 'matched';

/** An account, and whether its first reading has ended. */
export interface StoredInto {
  uid: string;
  connectionId: string;
  isNew: boolean;
}

export interface FloatEntries {
  /** Stores each entry once, with the payment or refund that it names. @returns how many were missing. Throws the errors of the database. */
  storeEntries: (account: StoredInto, entries: readonly NewFloatEntry[]) => Promise<number>;
  /** A reading that began at this time has stored all that the provider listed then. */
  markRead: (accountUid: string, reading: { at: Instant; isFar: boolean }) => Promise<void>;
  /** When the newest reading of the last days, or of all, began. */
  farReadAt: (accountUid: string) => Promise<Instant | undefined>;
  countEntries: (accountUid: string) => Promise<number>;
  /** In the order of their instants, from this instant on and after this entry. */
  entriesFrom: (
    accountUid: string,
    from: { at: Instant; afterId: string },
    limit: number,
  ) => Promise<FloatEntry[]>;
  /** The time of the last entry before this time. */
  lastInstantBefore: (accountUid: string, at: Instant) => Promise<Instant | undefined>;
  /** Matches entries that were stored before their payment, refund or decision was. Credits with a case are left alone. @returns how many. */
  matchEntries: (account: { uid: string; connectionId: string }) => Promise<number>;
  /** The credits that nothing explains and that have no case, oldest first. */
  creditsWithoutCase: (accountUid: string, stored: { from: Instant; until: Instant }) => Promise<string[]>;
  /** An entry, and the connection of its account. */
  floatEntry: (
    accountUid: string,
    id: string,
  ) => Promise<(FloatEntry & { connectionId: string }) | undefined>;
}
