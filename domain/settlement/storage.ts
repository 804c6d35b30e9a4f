// What the records store of settlement reports.
import type { Instant } from '../facts/fact.js';
import type { Day } from '../time/calendar.js';
import type { StoredDay } from './days.js';
import type { ReadReport } from './report.js';

/** As text if it is UTF-8, or else in base64. */
export type ReportContent = { csv: string } | { base64: string };

export interface FetchedReport {
  connectionId: string;
  day: Day;
  /** As it was downloaded. Undefined if it is too large to be kept. */
  content: ReportContent | undefined;
  /** SHA-256 of its bytes, in hex. */
  checksum: string;
  read: ReadReport;
  at: Instant;
}

/** `new`: the first report of its day. `changed`: the provider had another one before. `same`: nothing was stored. */
export type ReportStored = 'new' | 'changed' | 'same';

export interface SettlementReports {
  /** When the connection was requested, or its first payment settled. Earlier reports are not ours. Undefined if the records have nothing of it. */
  firstActivity: (connectionId: string) => Promise<Instant | undefined>;
  /** The latest report of each day from this day on. */
  storedDays: (connectionId: string, from: Day) => Promise<StoredDay[]>;
  /** Stores it once. Throws the errors of the database. */
  storeReport: (report: FetchedReport) => Promise<ReportStored>;
}
