// The outcomes of an account's verification, and what each means for the next step (docs/provider.md#checks). Pure.
import { waitMs } from '../time/poll-intervals.js';
import { dailyLimitEndsAt } from '../provider/daily-limit.js';
import type { Instant } from '../facts/fact.js';
import type { Meaning } from '../provider/error-meaning.js';

export const OUTCOMES = [
  'match', // The account has the given name.
  'close_match', // The account has a similar name.
  'no_match', // The account has a different name.
  'account_closed', // The account is closed.
  'account_unusable', // The account does not exist, or its bank does not take part.
  'resolved', // The PayID is registered.
  'alias_unknown', // The PayID is not registered.
  'evidence', // A third party has verified the account.
  'unconfirmed', // The bank could not confirm the account.
  'limit', // A limit of the provider is reached for today.
  'unanswered', // The provider gave no clear answer.
  'refused', // The provider refused the verification.
  'undecided', // The provider returned a result that this release does not know.
] as const;
export type VerificationOutcome = (typeof OUTCOMES)[number];

export interface Consequence {
  /**
   * `go_on`: the account may be registered. `person`: a person must accept or correct it first.
   * `stop`: it must be corrected first. `again`: the verification is repeated later.
   */
  then: 'go_on' | 'person' | 'stop' | 'again';
  /** For `again`: the time of the next verification. */
  when?: 'next_day' | 'soon';
  /** For `again`: stop after this many equal outcomes in a row. */
  times?: number;
  /** What happened, and what a person can do about it. */
  detail: string;
  next: string;
}

const CORRECT = 'correct it (POST /v1/counterparties/{uid}/correction)';
const ANOTHER_WAY = `${CORRECT} with another method of verification, such as a third party`;

export const CONSEQUENCES: Readonly<Record<VerificationOutcome, Consequence>> = {
  match: { then: 'go_on', detail: 'The account has the given name.', next: 'No action is needed.' },
  resolved: { then: 'go_on', detail: 'The PayID is registered.', next: 'No action is needed.' },
  evidence: { then: 'go_on', detail: 'A third party has verified it.', next: 'No action is needed.' },
  close_match: {
    then: 'person',
    detail: 'The account has a name that is similar to the given one.',
    next: `Ask the counterparty whether the account is theirs. If it is, accept it (POST /v1/counterparties/{uid}/acceptance), or ${CORRECT} with the name at the bank.`,
  },
  no_match: {
    then: 'stop',
    detail: 'The account has a different name.',
    next: `Do not use this account. Ask for the correct one, and ${CORRECT}.`,
  },
  account_closed: {
    then: 'stop',
    detail: 'The account is closed.',
    next: `Ask for another account, and ${CORRECT}.`,
  },
  account_unusable: {
    then: 'stop',
    detail: 'The account does not exist, or its bank does not take part.',
    next: `Ask for another account, and ${CORRECT}.`,
  },
  alias_unknown: {
    then: 'stop',
    detail: 'The PayID is not registered.',
    next: `Ask for the correct PayID or for an account, and ${CORRECT}.`,
  },
  unconfirmed: {
    then: 'again',
    when: 'next_day',
    times: 3,
    detail: 'The bank could not confirm the account holder.',
    next: `We repeat the verification on the next day, at most three times in total. If you cannot wait, ${ANOTHER_WAY}.`,
  },
  limit: {
    then: 'again',
    when: 'next_day',
    detail: 'The provider’s limit for verifications is reached.',
    next: `We repeat the verification on the next day. If you cannot wait, ${ANOTHER_WAY}.`,
  },
  unanswered: {
    then: 'again',
    when: 'soon',
    detail: 'The provider gave no clear answer.',
    next: 'We repeat the verification with growing delays until the provider answers.',
  },
  refused: {
    then: 'stop',
    detail: 'The provider refused to verify it.',
    next: `Read the provider’s reason, and ${ANOTHER_WAY}.`,
  },
  undecided: {
    then: 'stop',
    detail: 'The provider returned a result that this release does not know.',
    next: `Find its meaning in the provider’s documents, and ${ANOTHER_WAY}.`,
  },
};

const RESULTS: readonly VerificationOutcome[] = ['match', 'close_match', 'no_match', 'account_closed'];

/** The outcome for a result of Confirmation of Payee. */
export const outcomeOfResult = (result: string | null | undefined): VerificationOutcome =>
  RESULTS.find((outcome) => outcome === result) ?? 'undecided';

/** The outcome for a refusal that is about the account. Other refusals may be temporary. */
const OUTCOME_OF: Readonly<Partial<Record<Meaning, VerificationOutcome>>> = {
  unconfirmed: 'unconfirmed',
  account_unusable: 'account_unusable',
  limit: 'limit',
  alias_unknown: 'alias_unknown',
  service_down: 'unanswered',
};

/** The outcome for a failed call. @param isRefused the provider refused it, and would refuse it again. */
export const outcomeOfFailure = (means: Meaning | undefined, isRefused: boolean): VerificationOutcome =>
  (means === undefined ? undefined : OUTCOME_OF[means]) ?? (isRefused ? 'refused' : 'unanswered');

/** The latest verification of an account. */
export interface Checked {
  outcome: VerificationOutcome;
  /** How often this outcome occurred in a row. */
  times: number;
  at: Instant;
  /** The provider's own result or code. */
  result?: string | undefined;
  /** The uid that we gave this verification at the provider. */
  reference?: string | undefined;
  /** The account holder's name. Only operators may see it, never the payer. */
  name?: string | undefined;
  /** What a person should do about a refusal, by its code. */
  next?: string | undefined;
  /** When the verification is repeated. */
  notBefore?: Instant | undefined;
}

/** The result of one verification call. */
export type Verified = Omit<Checked, 'times' | 'at' | 'notBefore'>;

/** The consequence of an outcome. It becomes `stop` if the outcome occurred too often. */
export function consequenceOf({ outcome, times }: Pick<Checked, 'outcome' | 'times'>): Consequence {
  const consequence = CONSEQUENCES[outcome];
  return consequence.times !== undefined && times >= consequence.times
    ? { ...consequence, then: 'stop', next: `We tried ${times} times. To continue, ${ANOTHER_WAY}.` }
    : consequence;
}

/**
 * When the verification is repeated.
 * @param spread from 0 to 1, to avoid many calls at one instant. @param retryAfterMs requested by the provider.
 */
export function nextTryAt(
  { when }: Consequence,
  times: number,
  now: Instant,
  { spread, retryAfterMs = 0 }: { spread: number; retryAfterMs?: number | undefined },
): Instant {
  if (when === 'next_day') return dailyLimitEndsAt(undefined, now, { spread, retryAfterMs });
  const pauseMs = Math.max(waitMs('action', times, spread), retryAfterMs);
  return new Date(Date.parse(now) + pauseMs).toISOString();
}
