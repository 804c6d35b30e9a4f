// What an unmatched credit may be for. Only a person decides. Pure.
import type { Instant } from '../facts/fact.js';

/** A credit whose candidates are sought. */
export interface SoughtCredit {
  connectionId: string;
  /** Cents. */
  amount: number;
  receivedAt: Instant;
  /** The words of the payer and of the provider. */
  texts: readonly string[];
  payerAccount: string | undefined;
}

/** `uid` and `reference`: a text of the credit names it. `time`: requested at most three days before or after the credit. */
export const CANDIDATE_REASONS = ['uid', 'reference', 'payer_account', 'amount', 'time'] as const;
export type CandidateReason = (typeof CANDIDATE_REASONS)[number];

export interface CreditCandidate {
  kind: 'payment' | 'agreement';
  uid: string;
  state: string;
  /** Cents. */
  amount: number | undefined;
  reasons: CandidateReason[];
}

/** Rarer coincidences count more. */
const WEIGHTS: Readonly<Record<CandidateReason, number>> = {
  ...{ uid: 16, reference: 8, payer_account: 6, amount: 3, time: 1 },
};
const MOST = 10;

/** The ten most likely, best first. */
export const byWeight = (candidates: readonly CreditCandidate[]): CreditCandidate[] =>
  candidates.toSorted((a, b) => weightOf(b) - weightOf(a) || (a.uid < b.uid ? -1 : 1)).slice(0, MOST);

const weightOf = ({ reasons }: CreditCandidate): number =>
  reasons.reduce((sum, reason) => sum + WEIGHTS[reason], 0);
