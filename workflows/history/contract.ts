// The ids and types of a history read: one run per question, which returns the answer.
import type { OlderFactsRequest, OlderFacts } from '../../domain/facts/timeline.js';

export const HISTORY_WORKFLOW = 'history';

/** @param digest of the whole question. Readers with the same question share one run and its answer, for Temporal's retention period. */
export const historyWorkflowId = (uid: string, digest: string): string => `history/${uid}/${digest}`;

export interface HistoryQuestion extends OlderFactsRequest {
  uid: string;
  connectionId: string;
}

export type HistoryAnswer = OlderFacts;

/** The details of a failed read. The failure's type is a code of activities/failure.ts, or `unanswered`. */
export interface HistoryRefusal {
  /** The HTTP status of the provider's answer, if there was one. */
  status?: number | undefined;
  providerCodes: string[];
  requiredScope?: string | undefined;
}
