// What a payment workflow keeps, and what facts and snapshots change in it. Plain JSON and pure.
// The rule above all others, kept by entity/submission.ts: one uid, and nothing is sent again until the provider has long not had it.
import { attemptsOf } from '../../domain/payment/attempts.js';
import { differences } from '../../domain/commands/differences.js';
import { PAYMENT_LIFECYCLE, failureIn } from '../../domain/payment/lifecycle.js';
import { latest } from '../../domain/facts/fact.js';
import { endOfSydneyDay, sydneyDayOf } from '../../domain/time/sydney.js';
import * as followed from '../entity/resource/state.js';
import { isUidOfAnother, leaveToOther, openByNews, recordOthersFact } from '../entity/resource/others.js';
import { isOfNewest, newSubmission, markOpen, restartSearch } from '../entity/resource/submission.js';
import { reportingTo } from '../entity/engine/reports.js';
import { recordJudgement } from './judgements.js';
import type { Reporting } from '../entity/engine/reports.js';
import type { Attempt } from '../../domain/payment/attempts.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';
import type { Party, PaymentOrder } from '../../domain/agreement/mandate.js';
import type { PaymentFailure, PaymentLifecycleState } from '../../domain/payment/lifecycle.js';
import type { Fetched, PaymentSnapshot, Refusal } from '../../domain/facts/snapshot.js';
import type { RetryPayment } from '../../domain/payment/request.schema.js';
import type { PaymentHandling } from '../../domain/payment/handling.js';
import type { Withdrawal } from '../../domain/payment/withdrawal.js';
import type { Reported } from '../../domain/payment/outcome.js';
import type { AgreementAnswer, Judgement, PaymentJudgement } from '../../domain/terms/judgement.js';
import type { RefundEntry } from '../../domain/refund/lifecycle.js';

export interface PaymentState extends followed.ResourceState<PaymentLifecycleState>, Reporting {
  order?: PaymentOrder | undefined;
  handling?: PaymentHandling | undefined;
  /** It was found at the provider, or what was found there was taken for it. */
  adopted?: true | undefined;
  /** The agreement that ours was for, where what was taken for it is another's: which has to receive that ours was not sent. */
  leftAgreement?: string | undefined;
  requestedAt: Instant;
  /** The principal that asked for it; absent where it was found at the provider. */
  requestedBy?: string | undefined;
  failure?: PaymentFailure | undefined;
  /** A run before it may have sent it, and been reset: that it was never sent, the provider alone can say. */
  isStartedLate?: true | undefined;
  /** What allowed each submission, oldest first: the newest twenty. */
  judgements?: PaymentJudgement[] | undefined;
  /** Who pays, as the provider showed it last. */
  debtor?: Party | undefined;
  /** Its agreement allows it no more: it is not sent again. */
  blockedByAgreement?: { code: string; detail: string } | undefined;
  /** It is not wanted any more: it is not sent again. */
  withdrawn?: Withdrawal | undefined;
  /** What its agreement knows of it: as it admitted it, or as was last reported; absent where it knows nothing of it. */
  reported?: Reported | undefined;
  /** Oldest first. */
  refunds?: RefundEntry[] | undefined;
  /** Before then the provider would not have it tried again. */
  retryNotBefore?: Instant | undefined;
  /** How often it was sent in the attempts before the current one. */
  submissionsBefore?: number | undefined;
  /** Whom it pays since a retry named another. */
  creditorNow?: RetryPayment['creditor'];
  /** Attempts of which not all facts are kept any more, oldest first, the newest of them perhaps unfinished. */
  olderAttempts?: Attempt[] | undefined;
}

/** A run that begins longer after its admission is one that was reset, or waited for a worker. */
const STARTED_WITHIN_MS = 60_000;

type PaymentRequested = Pick<PaymentState, 'uid' | 'connectionId' | 'order' | 'handling' | 'requestedBy'> & {
  requestedAt?: Instant | undefined;
  judged?: Judgement | undefined;
  reportTo?: string | undefined;
};

export function newPayment(requested: PaymentRequested, now: Instant): PaymentState {
  const { uid, connectionId, order, handling, requestedBy, requestedAt = now, judged, reportTo } = requested;
  const isAdopted = order === undefined;
  const submission = newSubmission(isAdopted ? 'adopting' : 'ready');
  const awaiting = { what: isAdopted ? 'look-up' : 'provider-acceptance', since: now } as const;
  const base = followed.newResourceState<PaymentLifecycleState>(
    { uid, connectionId, submission, start: 'requested' },
    awaiting,
  );
  const state = { ...base, ...reportingTo(reportTo), order, handling, requestedAt, requestedBy };
  if (isAdopted) return { ...state, adopted: true };
  // Its agreement has admitted it, and takes it for this.
  const reported = { amount: order.amount, outcome: 'in_flight', failures: 0 } as const;
  const isLate = Date.parse(now) - Date.parse(requestedAt) > STARTED_WITHIN_MS;
  return recordJudgement({ ...state, reported, ...(isLate && { isStartedLate: true }) }, judged);
}

export const stateOf = (state: PaymentState): PaymentLifecycleState =>
  followed.foldedOf(PAYMENT_LIFECYCLE, state).state;

/** The paths at which the provider's payment differs from the order; none where it was adopted. */
export function differencesIn(
  { order, adopted, creditorNow }: PaymentState,
  { snapshot }: Fetched<PaymentSnapshot>,
): string[] {
  if (order === undefined || adopted === true) return [];
  // Of the two an answer may show either.
  return differences(creditorNow === undefined ? order : { ...order, creditor: undefined }, snapshot.order);
}

export function applySnapshot(state: PaymentState, { snapshot }: Fetched<PaymentSnapshot>): PaymentState {
  const { order: requested, adopted } = state;
  const order = adopted === true ? (wholeOrder(snapshot.order) ?? requested) : requested;
  const { createdAt } = snapshot;
  const hasMoved = requested !== undefined && order?.agreement_uid !== requested.agreement_uid;
  return {
    ...state,
    order,
    failure: snapshot.failure ?? state.failure,
    debtor: snapshot.debtor ?? state.debtor,
    requestedAt: requested === undefined ? (createdAt ?? state.requestedAt) : state.requestedAt,
    ...(hasMoved && { leftAgreement: requested.agreement_uid }),
  };
}

function wholeOrder(order: Partial<PaymentOrder>): PaymentOrder | undefined {
  const { agreement_uid, amount } = order;
  if (agreement_uid === undefined || amount === undefined) return undefined;
  return { priority: '', ...order, agreement_uid, amount };
}

/** The very same state where the fact was known. */
export function recordFact(state: PaymentState, arrived: Fact): PaymentState {
  if (isUidOfAnother(state)) return recordOthersFact(state, arrived);
  const fact = followed.withoutForeignAuthority(state, arrived);
  const received = followed.storeFact(state, fact);
  if (received.facts === state.facts) return received;
  const isNewest = isOfNewest(PAYMENT_LIFECYCLE, received, fact);
  const failure = fact.type === 'failed' && fact.authenticated && isNewest ? failureIn(fact) : undefined;
  const noted = failure === undefined ? received : { ...received, failure };
  const flagged = followed.flagUnrecognised(PAYMENT_LIFECYCLE, noted, fact);
  // An event makes the last snapshot old: it is no measure any more of what is new.
  return fact.authenticated && isNewest ? openByNews({ ...flagged, snapshotState: undefined }) : flagged;
}

/** A fact of our own, and the last one unless the provider says otherwise. */
function recordOwnEnd(
  state: PaymentState,
  now: Instant,
  { verb, type, causedBy }: Pick<Fact, 'type' | 'causedBy'> & { verb: string },
  { retryAfterMs, ...reason }: Refusal,
): PaymentState {
  const { n } = attemptsOf(state).at(-1) ?? { n: 1 };
  const isRetry = state.submission.again !== undefined;
  const ended = followed.storeFact(state, {
    id: `command/${verb}/${state.uid}${isRetry ? `/${n}` : ''}`,
    type: isRetry && type !== 'unresolved' ? 'refused' : type,
    publishedAt: followed.afterAllFacts(state, now),
    receivedAt: now,
    source: 'command',
    authenticated: true,
    causedBy,
    reason,
  });
  if (!isRetry || type === 'unresolved') return { ...ended, failure: { ...reason, retryable: false } };
  // Why it had failed before still says whether it may be tried again; and the provider may know of what we do not.
  const retryNotBefore =
    retryAfterMs === undefined ? undefined : new Date(Date.parse(now) + retryAfterMs).toISOString();
  return { ...ended, retryNotBefore, isLookUpDue: true };
}

/** The provider would not take it. */
export const recordRefusal = (state: PaymentState, now: Instant, reason: Refusal): PaymentState =>
  recordOwnEnd(state, now, { verb: 'submit', type: 'refused', causedBy: 'provider' }, reason);

/**
 * Each attempt is sent by then, or not at all: by the end of the Sydney day on which it was requested, or by the time that the request of the
 * payment names. That time may have passed when a retry is requested: then the day of the retry counts.
 */
export function sendBefore(state: PaymentState): Instant | undefined {
  const { requestedAt, handling, submission } = state;
  const isRetry = submission.again !== undefined;
  const startedAt = isRetry ? attemptsOf(state).at(-1)?.startedAt : undefined;
  const endOfDay = endOfSydneyDay(sydneyDayOf(startedAt ?? requestedAt));
  if (!isRetry) return handling?.submitBefore ?? endOfDay;
  return latest([endOfDay, handling?.submitBefore]);
}

/** Until when at the most it waits for this, where that is known: what was not sent by its time is not sent any more. */
export function waitsUntil(state: PaymentState, step: { do: string; until?: Instant }): Instant | undefined {
  if (step.do === 'await_retry') return step.until;
  if (state.submission.stage !== 'ready' || step.do === 'submit') return undefined;
  return [step.do === 'pause' ? step.until : undefined, sendBefore(state)]
    .filter((at) => at !== undefined)
    .sort()[0];
}

/** Why it may not be sent any more, as a clause; undefined where it may. */
export function blockedBy({ blockedByAgreement, withdrawn }: PaymentState): string | undefined {
  if (withdrawn !== undefined) return 'it was withdrawn';
  return blockedByAgreement === undefined
    ? undefined
    : `its agreement allows it no more (${blockedByAgreement.code})`;
}

/** What may have been sent by a run that was reset is asked for before it is taken for unsent; nothing where that cannot be, or was done. */
export const searchIfStartedLate = (state: PaymentState, now: Instant): PaymentState | undefined =>
  state.isStartedLate === true ? restartSearch({ ...state, isStartedLate: undefined }, now) : undefined;

/** It was never sent, and never will be. */
export function endUnsent(state: PaymentState, now: Instant): PaymentState {
  const { blockedByAgreement, withdrawn } = state;
  if (withdrawn !== undefined) return recordOwnEnd(state, now, WITHDRAWN, withdrawalIn(withdrawn));
  if (blockedByAgreement === undefined)
    return recordOwnEnd(state, now, { verb: 'lapse', type: 'lapsed', causedBy: 'initiator' }, LAPSED);
  const reason = {
    code: blockedByAgreement.code,
    title: `Not sent: ${blockedByAgreement.detail}`,
    next: 'Ask for another payment, under another uid, once its agreement allows it.',
  };
  return recordOwnEnd(state, now, { verb: 'bar', type: 'refused', causedBy: 'initiator' }, reason);
}

/** The provider has another payment under the uid, and ours is given up. */
export const giveUpForOther = (state: PaymentState, now: Instant): PaymentState =>
  recordOwnEnd(leaveToOther(state), now, { verb: 'close', type: 'refused', causedBy: 'initiator' }, CLOSED);
const CLOSED: Refusal = {
  code: 'closed',
  title: 'Given up by an operator: the provider has another payment under this uid.',
  next: 'Ask for another payment, under another uid, if it is still wanted.',
};

/** It is asked for no more, and may have been paid. */
export const giveUpUnresolved = (state: PaymentState, now: Instant): PaymentState =>
  markOpen(
    recordOwnEnd(state, now, { verb: 'give-up', type: 'unresolved', causedBy: 'initiator' }, UNRESOLVED),
  );
const UNRESOLVED: Refusal = {
  code: 'unresolved',
  title: 'Given up by an operator: it is not known whether the provider has it.',
  next: 'Take it for paid until the provider says otherwise, and never ask for it under another uid before. An event of the provider’s about it is taken up.',
};

const WITHDRAWN = { verb: 'withdraw', type: 'withdrawn', causedBy: 'initiator' } as const;
const withdrawalIn = ({ reason, by }: Withdrawal): Refusal & { narrative: string } => ({
  code: 'withdrawn',
  title: `Withdrawn before it was sent, by ${by}`,
  narrative: reason,
});

const LAPSED: Refusal = {
  code: 'lapsed',
  title: 'Not sent within the time for it.',
  next: 'Ask for another payment, under another uid, if it is still wanted.',
};

/** Its agreement has answered whether it may still be sent; a refusal is never taken back. */
export function recordAnswer(state: PaymentState, answer: AgreementAnswer): PaymentState {
  if ('refusal' in answer) return { ...state, blockedByAgreement: answer.refusal };
  return recordJudgement(
    { ...state, submission: { ...state.submission, hasWaited: undefined } },
    answer.judged,
  );
}

/** What a run leaves to the next, within Temporal's limit for a payload. */
export function stateToCarry(state: PaymentState): PaymentState {
  const short = followed.compact(PAYMENT_LIFECYCLE, state);
  if (short.droppedHashes === state.droppedHashes) return short;
  const stored = new Set(short.facts.map(({ id }) => id));
  const dropped = state.facts.filter(({ id }) => !stored.has(id));
  return {
    ...short,
    olderAttempts: attemptsOf({ ...state, facts: dropped, failure: undefined, submission: undefined }),
  };
}
