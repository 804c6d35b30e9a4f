// What a payment workflow keeps, and what facts and snapshots change in it. Plain JSON and pure.
// The rule above all others, kept by entity/submission.ts: one uid, and nothing is sent again until the provider has long not had it.
import { differences } from '../../domain/intent.js';
import { shortened } from '../../domain/kept.js';
import { PAYMENT_LIFE } from '../../domain/payment.js';
import { endOfSydneyDay, sydneyDayOf } from '../../domain/sydney.js';
import * as followed from '../entity/state.js';
import { newSubmission, openedByFact } from '../entity/submission.js';
import type { Fact, Instant } from '../../domain/fact.js';
import type { PaymentOrder } from '../../domain/mandate.js';
import type { PaymentFailure, PaymentState } from '../../domain/payment.js';
import type { Fetched, PaymentSnapshot, Refusal } from '../../domain/snapshot.js';

export interface State extends followed.Followed<PaymentState> {
  order?: PaymentOrder | undefined;
  requestedAt: Instant;
  failure?: PaymentFailure | undefined;
}

export function newPayment(
  { uid, connectionId, order }: Pick<State, 'uid' | 'connectionId' | 'order'>,
  now: Instant,
): State {
  const isAdopted = order === undefined;
  const submission = newSubmission(isAdopted ? 'adopting' : 'ready');
  const awaiting = { what: isAdopted ? 'look-up' : 'provider-acceptance', since: now } as const;
  const base = followed.newFollowed<PaymentState>(
    { uid, connectionId, submission, start: 'requested' },
    awaiting,
  );
  return { ...base, order, requestedAt: now };
}

export const stateOf = (state: State): PaymentState => followed.foldedOf(PAYMENT_LIFE, state).state;

export const differencesIn = ({ order }: State, { snapshot }: Fetched<PaymentSnapshot>): string[] =>
  order === undefined ? [] : differences(order, snapshot.order);

export const withSnapshot = (state: State, { snapshot }: Fetched<PaymentSnapshot>): State => ({
  ...state,
  order: state.order ?? wholeOrder(snapshot.order),
  failure: snapshot.failure ?? state.failure,
});

function wholeOrder(order: Partial<PaymentOrder>): PaymentOrder | undefined {
  const { agreement_uid, amount } = order;
  if (agreement_uid === undefined || amount === undefined) return undefined;
  return { priority: '', ...order, agreement_uid, amount };
}

/** The very same state where the fact was known. */
export function withFact(state: State, fact: Fact): State {
  const failure = fact.type === 'failed' && fact.authenticated ? failureIn(fact) : undefined;
  const received = followed.withReceived(failure === undefined ? state : { ...state, failure }, fact);
  if (received.facts === state.facts) return state;
  const seen = followed.withUnrecognised(PAYMENT_LIFE, received, fact);
  // An event makes the last snapshot old: it is no measure any more of what is new.
  return fact.authenticated ? openedByFact({ ...seen, snapshotState: undefined }) : seen;
}

function failureIn({ detail, reason }: Fact): PaymentFailure | undefined {
  const failure = detail?.['failure'];
  if (typeof failure !== 'object' || failure === null || Array.isArray(failure)) return undefined;
  const { code, title, retryable } = failure;
  return {
    code: typeof code === 'string' ? shortened(code) : undefined,
    title: typeof title === 'string' ? shortened(title) : undefined,
    retryable: typeof retryable === 'boolean' ? retryable : undefined,
    next: reason?.next,
  };
}

/** The provider would not take it: a fact of our own. */
export const withRefusal = (state: State, now: Instant, reason: Refusal): State =>
  followed.withReceived(
    { ...state, failure: { ...reason, retryable: false } },
    {
      id: `command/submit/${state.uid}`,
      type: 'refused',
      publishedAt: now,
      receivedAt: now,
      source: 'command',
      authenticated: true,
      causedBy: 'provider',
      reason,
    },
  );

/** It is sent on the Sydney day on which it was asked for, and not later: whoever asked has reckoned with that day. */
export const sentBy = ({ requestedAt }: State): Instant | undefined =>
  endOfSydneyDay(sydneyDayOf(requestedAt));

/** It was never sent: a fact of our own, and its end. */
export function withLapse(state: State, now: Instant): State {
  const reason = {
    code: 'lapsed',
    title: 'Not sent by the end of the Sydney day on which it was asked for.',
    next: 'Ask for another payment, under another uid, if it is still wanted.',
  };
  return followed.withReceived(
    { ...state, failure: { ...reason, retryable: false } },
    {
      id: `command/lapse/${state.uid}`,
      type: 'lapsed',
      publishedAt: now,
      receivedAt: now,
      source: 'command',
      authenticated: true,
      causedBy: 'initiator',
      reason,
    },
  );
}

export const carriedOver = (state: State): State => followed.compact(PAYMENT_LIFE, state);
