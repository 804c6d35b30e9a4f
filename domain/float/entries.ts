// What the records store and read of the entries of float accounts.
import type { Instant } from '../facts/fact.js';
import type { FloatEntry } from './chain.js';

/** An entry with the provider's text, which may name a person. */
export interface NewFloatEntry extends FloatEntry {
  description: string | undefined;
}

export interface FloatEntries {
  /** Stores each entry once. @returns how many are new. Throws the errors of the database. */
  storeEntries(
    account: { uid: string; connectionId: string },
    entries: readonly NewFloatEntry[],
  ): Promise<number>;
  /** In the order of their instants, from this instant on and after this entry. */
  entriesFrom(
    accountUid: string,
    from: { at: Instant; afterId: string },
    limit: number,
  ): Promise<FloatEntry[]>;
}
