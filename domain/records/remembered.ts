// What the records have of a thing whose run Temporal has forgotten, or perhaps has not. Pure.
import type { Instant } from '../facts/fact.js';
import type { ResourceName } from '../resources.js';

export type Remembered = RememberedRow | RememberedEnd;

/** It exists. */
export interface RememberedRow {
  is: 'row';
  version: number;
  /** Undefined: it is not known. */
  identity?: string | undefined;
  connectionId?: string | undefined;
  state: string;
  view: object;
  /** What its last run has left (`Carried`). Undefined if that run was terminated, or the row was written without it later. */
  carried?: unknown;
}

/** It expired, or its personal data was erased. */
export interface RememberedEnd {
  is: 'gone';
  why: 'expired' | 'erased';
  connectionId?: string | undefined;
  since: Instant;
}

/** What a start has found under the uid of the thing that it would start. */
export interface Before {
  /** Undefined: nothing, or the records are away. */
  found: Remembered | undefined;
  /** The records were away, or incomplete. So what starts is checked later. */
  isUnchecked?: true | undefined;
}

export interface RecordMemory {
  /**
   * Undefined: the records never had it.
   * @throws the error of the database if it did not answer, and RecordsIncomplete while rows may be missing.
   */
  remembered: (resource: ResourceName, uid: string) => Promise<Remembered | undefined>;
}

/** Whether a row shows what was requested, or the provider has shown. Otherwise only events have named the uid, and it is free. */
export const isRequested = (row: Pick<RememberedRow, 'state' | 'view'> | undefined): row is RememberedRow =>
  row !== undefined && row.state !== 'unknown' && 'order' in row.view && row.view.order != null;

/** Why nothing more is accepted for it, for people. */
export const goneInWords = (what: string, { why, since }: Omit<RememberedEnd, 'is'>): string =>
  why === 'expired'
    ? `The records of ${what} were deleted at ${since}, after the retention.`
    : `The personal data of ${what} was erased at ${since}.`;
