// What a sweep reads of our records.
import type { Instant } from '../facts/fact.js';
import type { ResourceName } from '../resources.js';

export interface SweptRow {
  uid: string;
  state: string;
  connectionId: string | undefined;
}

/** Rows of one connection in some states. */
export interface SweptRange {
  connectionId: string;
  states: readonly string[];
  /** Only rows that were requested at or before this time. */
  until: Instant;
}

/** The rows of a database. Each call throws its errors. */
export interface SweptRows {
  /** The rows of these uids, in no order. */
  rowsOf: (resource: ResourceName, uids: readonly string[]) => Promise<SweptRow[]>;
  /** The first uids after `after`, in order. */
  uidsIn: (
    resource: ResourceName,
    range: SweptRange,
    page: { after: string; limit: number },
  ) => Promise<string[]>;
}
