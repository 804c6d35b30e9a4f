// The provider's settlement report of a day, as read (payments-api/answers/settlement-report.ts). Pure.
import type { Instant } from '../facts/fact.js';

/**
 * Why a line with a uid and an amount is no settlement. `reversal`: it takes money back. `unlisted_type`: we cannot tell what its type means.
 * @see docs/provider.md#settlement-reports
 */
export type LineProblem = 'reversal' | 'unlisted_type';

/** One settled payment or processed refund, or a line with a problem. */
export interface SettlementRow {
  /** From 1, without the header. */
  number: number;
  /** Empty if it has no usable one. */
  uid: string;
  kind?: 'payment' | 'refund' | undefined;
  /** Cents; negative only for a reversal. Absent if it has no usable amount. */
  amount?: number | undefined;
  settledAt?: Instant | undefined;
  problem?: LineProblem | undefined;
}

/**
 * `unreadable`: no text, too large, not CSV, cut off, or without the columns that we need. `other_day`: no row is of the requested day. In both
 * cases the report is stored, and none of its rows counts.
 */
export type ReportState = 'stored' | 'unreadable' | 'other_day';
export type ReportProblem =
  'too_large' | 'not_text' | 'no_header' | 'not_csv' | 'unknown_columns' | 'other_day';

export interface ReadReport {
  state: ReportState;
  problem?: ReportProblem | undefined;
  rows: SettlementRow[];
}
