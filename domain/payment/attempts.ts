// Derives the attempts of a payment from its facts: the first submission, and each retry (docs/architecture.md#attempts). Pure.
import { happenedAt, type Fact, type Instant } from '../facts/fact.js';
import { fold } from '../facts/fold.js';
import {
  PAYMENT_LIFECYCLE,
  failureIn,
  isPaymentFinal,
  type PaymentFailure,
  type PaymentLifecycleState,
} from './lifecycle.js';
import { IN_GRACE_PERIOD } from '../provider/reason-codes.js';

export interface Attempt {
  /** Counted from 1. */
  n: number;
  /** When it was requested, by our clock. */
  startedAt: Instant;
  /** When it was sent, by our clock; absent if unknown. */
  sentAt?: Instant | undefined;
  state: PaymentLifecycleState;
  /** When it ended, by the provider's clock if the provider published the end. */
  endedAt?: Instant | undefined;
  /** When we received its end, by our clock. */
  endReceivedAt?: Instant | undefined;
  failure?: PaymentFailure | undefined;
  /** It was not sent, or the provider refused it, so the provider does not count it. */
  isUnsent?: true | undefined;
  /** It was submitted, though its outcome may be pending. */
  isSubmitted?: true | undefined;
  /** The principal that requested the retry, or `policy`; absent for the first attempt. */
  by?: string | undefined;
}

/** The fields of a stored payment that determine its attempts. */
export interface Attempted {
  requestedAt: Instant;
  facts: readonly Fact[];
  /** The state that dropped facts led to. */
  start: PaymentLifecycleState;
  olderAttempts?: readonly Attempt[] | undefined;
  /** Of the latest attempt. A retry records when the previous attempt was sent. */
  submission?: { sentAt?: Instant | undefined } | undefined;
  /** Why it failed last, if no fact contains that. */
  failure?: PaymentFailure | undefined;
}

/** Oldest first; at least one. */
export function attemptsOf(payment: Attempted): Attempt[] {
  const { requestedAt, facts, start, olderAttempts, failure, submission: { sentAt } = {} } = payment;
  const attempts = [...(olderAttempts ?? [{ n: 1, startedAt: requestedAt, state: start }])];
  fold(PAYMENT_LIFECYCLE, start, facts, {}, (state, fact) => {
    const last = attempts.pop();
    if (last !== undefined) attempts.push(...after(last, state, fact));
  });
  const last = attempts.pop();
  if (last === undefined) return [];
  const isUnexplained = last.state === 'failed' && last.failure === undefined && last.isUnsent !== true;
  return [...attempts, { ...last, sentAt, ...(isUnexplained && { failure }) }];
}

function after(last: Attempt, state: PaymentLifecycleState, fact: Fact): Attempt[] {
  const failure = failureIn(fact);
  if (state === 'retrying')
    return [
      { ...last, failure: last.failure ?? failure, sentAt: textIn(fact, 'sentBefore') },
      { n: last.n + 1, startedAt: fact.receivedAt, state, by: textIn(fact, 'by') },
    ];
  const { n, startedAt, by } = last;
  const isBefore = last.state === state && last.isUnsent !== true;
  const ended = isPaymentFinal(state)
    ? { endedAt: happenedAt(fact), endReceivedAt: isBefore ? last.endReceivedAt : fact.receivedAt }
    : {};
  const unsent = UNSENT.has(fact.type) ? ({ isUnsent: true } as const) : {};
  const why = state === 'settled' ? undefined : (failure ?? fact.reason);
  return [{ n, startedAt, state, by, ...ended, ...unsent, ...(why !== undefined && { failure: why }) }];
}

const textIn = ({ detail }: Fact, name: string): string | undefined =>
  typeof detail?.[name] === 'string' ? detail[name] : undefined;

/** Whether it was sent; undefined while it is still to be sent. */
export function wasSent({ state, isUnsent, isSubmitted }: Attempt): boolean | undefined {
  if (isUnsent === true) return false;
  const isToBeSent = state === 'requested' || state === 'retrying';
  return isSubmitted === true || !isToBeSent ? true : undefined;
}

const UNSENT: ReadonlySet<string> = new Set(['refused', 'lapsed', 'withdrawn']);

const failedOf = (attempts: readonly Attempt[]): Attempt[] =>
  attempts.filter(({ state, isUnsent }) => state === 'failed' && isUnsent !== true);

/** How many of the attempts failed at the provider. */
export const failuresIn = (attempts: readonly Attempt[]): number => failedOf(attempts).length;

/** How many of these failures only mean that the agreement was in its grace period. */
export const graceFailuresIn = (attempts: readonly Attempt[]): number =>
  failedOf(attempts).filter(({ failure }) => failure?.code === IN_GRACE_PERIOD).length;
