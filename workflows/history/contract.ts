// How the outside world has the provider's history of an agreement read: a run for each question, which ends with its answer.
import type { OlderFactsRequest, OlderFacts } from '../../domain/facts/timeline.js';

export const HISTORY_WORKFLOW = 'history';

/** @param digest of the whole question: who asks the same shares one run, and finds its answer as long as Temporal keeps it. */
export const historyWorkflowId = (uid: string, digest: string): string => `history/${uid}/${digest}`;

export interface HistoryQuestion extends OlderFactsRequest {
  uid: string;
  connectionId: string;
}

export type HistoryAnswer = OlderFacts;

/** What a run that failed says beside its failure's type, which is a code of activities/failure.ts or `unanswered`. */
export interface HistoryRefusal {
  /** The HTTP status of the provider's answer, where there was one. */
  status?: number | undefined;
  providerCodes: string[];
  requiredScope?: string | undefined;
}
