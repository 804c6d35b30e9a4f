// What the verification of an account may come to, and what that means for the next step (docs/provider.md#checks). Pure: the table is
// the only place that says so.
import { waitMs } from '../time/poll-intervals.js';
import { dailyLimitEndsAt } from '../provider/daily-limit.js';
import type { Instant } from '../facts/fact.js';
import type { Meaning } from '../provider/error-meaning.js';

export const OUTCOMES = [
  'match', // the account is in that name
  'close_match', // it is in a name much like it
  'no_match', // it is in another name
  'account_closed', // there is no such account any more
  'account_unusable', // there is no such account, or its bank takes no part
  'resolved', // the PayID is known
  'alias_unknown', // the PayID is not
  'evidence', // a third party has verified it
  'unconfirmed', // the bank could not say
  'limit', // no more may be asked today
  'unanswered', // no clear answer came
  'refused', // the question itself was refused
  'undecided', // a word that is new to this release
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Consequence {
  /**
   * `go_on`: nothing stands in the way of registering it. `person`: nothing is registered before a person has accepted or corrected it.
   * `stop`: nothing is registered unless it is corrected. `again`: it is asked once more, later.
   */
  then: 'go_on' | 'person' | 'stop' | 'again';
  /** When, for `again`. */
  when?: 'next_day' | 'soon';
  /** For `again`: after so many times in a row it stops instead. */
  times?: number;
  /** What was met, and what a person can do about it. */
  detail: string;
  next: string;
}

const CORRECT = 'correct it (POST /v1/counterparties/{uid}/correction)';
const ANOTHER_WAY = `${CORRECT} to be verified in another way, as by a third party`;

export const CONSEQUENCES: Readonly<Record<Outcome, Consequence>> = {
  match: { then: 'go_on', detail: 'The account is in that name.', next: 'Nothing to do.' },
  resolved: { then: 'go_on', detail: 'The PayID is known.', next: 'Nothing to do.' },
  evidence: { then: 'go_on', detail: 'A third party has verified it.', next: 'Nothing to do.' },
  close_match: {
    then: 'person',
    detail: 'The account is in a name much like the one given.',
    next: `Ask whose account it is. If it is theirs, accept it (POST /v1/counterparties/{uid}/acceptance), or ${CORRECT} with the name as the bank has it.`,
  },
  no_match: {
    then: 'stop',
    detail: 'The account is in another name.',
    next: `Do not use this account. Ask for the right one, and ${CORRECT}.`,
  },
  account_closed: {
    then: 'stop',
    detail: 'The account is closed.',
    next: `Ask for another account, and ${CORRECT}.`,
  },
  account_unusable: {
    then: 'stop',
    detail: 'The bank knows no such account, or takes no part.',
    next: `Ask for another account, and ${CORRECT}.`,
  },
  alias_unknown: {
    then: 'stop',
    detail: 'The PayID is not registered.',
    next: `Ask for the right PayID, or for an account, and ${CORRECT}.`,
  },
  unconfirmed: {
    then: 'again',
    when: 'next_day',
    times: 3,
    detail: 'The bank could not say whose account it is.',
    next: `It is asked again on the next day, three times in all. Who will not wait: ${ANOTHER_WAY}.`,
  },
  limit: {
    then: 'again',
    when: 'next_day',
    detail: 'A limit of the provider’s on verifications is reached.',
    next: `It is asked again on the next day. Who will not wait: ${ANOTHER_WAY}.`,
  },
  unanswered: {
    then: 'again',
    when: 'soon',
    detail: 'No clear answer came.',
    next: 'It is asked again, ever later, until one does.',
  },
  refused: {
    then: 'stop',
    detail: 'The provider would not verify it.',
    next: `Read its reason, and ${ANOTHER_WAY}.`,
  },
  undecided: {
    then: 'stop',
    detail: 'The provider answered with a word that is new to this release.',
    next: `Read in its documents what it means, and ${ANOTHER_WAY}.`,
  },
};

const RESULTS: readonly Outcome[] = ['match', 'close_match', 'no_match', 'account_closed'];

/** What a result of Confirmation of Payee is. */
export const outcomeOfResult = (result: string | null | undefined): Outcome =>
  RESULTS.find((outcome) => outcome === result) ?? 'undecided';

/** What a refusal means, where it says something of the account; any other may pass. */
const OUTCOME_OF: Readonly<Partial<Record<Meaning, Outcome>>> = {
  unconfirmed: 'unconfirmed',
  account_unusable: 'account_unusable',
  limit: 'limit',
  alias_unknown: 'alias_unknown',
  service_down: 'unanswered',
};

/** What a call that failed says of the account. @param isRefused the provider has said no, and will again. */
export const outcomeOfFailure = (means: Meaning | undefined, isRefused: boolean): Outcome =>
  (means === undefined ? undefined : OUTCOME_OF[means]) ?? (isRefused ? 'refused' : 'unanswered');

/** What a verification came to. */
export interface Checked {
  outcome: Outcome;
  /** How often in a row. */
  times: number;
  at: Instant;
  /** The provider's own word, or code. */
  result?: string | undefined;
  /** Under which uid the provider was asked. */
  reference?: string | undefined;
  /** In whose name the account is. Its holder's, and for no one but operators: never for the payer. */
  name?: string | undefined;
  /** What a person should do about a refusal, by its code. */
  next?: string | undefined;
  /** When it is asked again. */
  notBefore?: Instant | undefined;
}

/** What an answer, or a refusal, says of an account. */
export type Verified = Omit<Checked, 'times' | 'at' | 'notBefore'>;

/** What follows now: the consequence of its outcome, which stops where it was met too often. */
export function consequenceOf({ outcome, times }: Pick<Checked, 'outcome' | 'times'>): Consequence {
  const consequence = CONSEQUENCES[outcome];
  return consequence.times !== undefined && times >= consequence.times
    ? { ...consequence, then: 'stop', next: `It was asked ${times} times; ${ANOTHER_WAY}.` }
    : consequence;
}

/**
 * When it is asked again.
 * @param spread from 0 to 1, so that not all are asked at one instant. @param retryAfterMs as the provider asked for.
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
