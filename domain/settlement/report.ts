// The provider's settlement report of a day, as read (payments-api/answers/settlement-report.ts). Pure.
import type { Instant } from '../facts/fact.js';

/** One settled payment or processed refund. */
export interface SettlementRow {
  /** From 1, without the header. */
  number: number;
  /** Empty if it has no usable one. */
  uid: string;
  kind?: 'payment' | 'refund' | undefined;
  /** Cents. Absent if it has no usable amount. */
  amount?: number | undefined;
  settledAt?: Instant | undefined;
}

/**
 * `unreadable`: not CSV, cut off, or without the columns that we need. `other_day`: no row is of the requested day. In both cases the report is
 * stored, and none of its rows counts.
 */
export type ReportState = 'stored' | 'unreadable' | 'other_day';
export type ReportProblem = 'no_header' | 'not_csv' | 'unknown_columns' | 'other_day';

export interface ReadReport {
  state: ReportState;
  problem?: ReportProblem | undefined;
  rows: SettlementRow[];
}
