// The state of a payment, and how facts and snapshots change it. Plain JSON and pure.
// The most important rule is in resource/submission/state.ts: always the same uid, and no second submission until the provider has certainly
// not received the first one.
import { attemptsOf, type Attempt } from '../../domain/payment/attempts.js';
import { differences } from '../../domain/commands/differences.js';
import {
  PAYMENT_LIFECYCLE,
  failureIn,
  type PaymentFailure,
  type PaymentLifecycleState,
  type PaymentSnapshot,
} from '../../domain/payment/lifecycle.js';
import { latest, type Fact, type Instant } from '../../domain/facts/fact.js';
import { endOfSydneyDay, sydneyDayOf } from '../../domain/time/sydney.js';
import { compact } from '../resource/compact.js';
import * as followed from '../resource/state.js';
import { openByNews, receiveFact } from '../resource/others.js';
import { isOfNewest, restartSearch } from '../resource/submission/state.js';
import { reportingTo, type Reporting } from '../resource/reports.js';
import { applyJudgement } from './judgements.js';
import type { Party, PaymentOrder } from '../../domain/agreement/mandate.js';
import type { Fetched, Refusal } from '../../domain/facts/snapshot.js';
import type { RetryPayment } from '../../domain/payment/request.schema.js';
import type { PaymentHandling } from '../../domain/payment/handling.js';
import type { Withdrawal } from '../../domain/payment/withdrawal.js';
import type { Reported } from '../../domain/payment/outcome.js';
import type {
  AgreementAnswer,
  AgreementRefusal,
  Judgement,
  PaymentJudgement,
} from '../../domain/terms/judgement.js';
import type { RefundEntry } from '../../domain/refund/lifecycle.js';

export interface PaymentState extends followed.ResourceState<PaymentLifecycleState>, Reporting {
  order?: PaymentOrder | undefined;
  handling?: PaymentHandling | undefined;
  /** It was found at the provider, or an operator adopted a payment from there in its place. */
  adopted?: true | undefined;
  /** The agreement of our order, if the adopted payment belongs to another agreement. It must receive the report that ours was not sent. */
  leftAgreement?: string | undefined;
  requestedAt: Instant;
  /** The principal that requested it; absent if it was found at the provider. */
  requestedBy?: string | undefined;
  failure?: PaymentFailure | undefined;
  /** A previous run may have sent it before a reset. Only the provider can tell that it was never sent. */
  isStartedLate?: true | undefined;
  /** The newest twenty judgements that allowed a submission, oldest first. */
  judgements?: PaymentJudgement[] | undefined;
  /** The payer in the latest snapshot. */
  debtor?: Party | undefined;
  /** Its agreement no longer allows it, so it is not sent again. */
  blockedByAgreement?: AgreementRefusal | undefined;
  /** It was withdrawn, so it is not sent again. */
  withdrawn?: Withdrawal | undefined;
  /** The agreement's knowledge of it, from the admission or the latest report; absent if the agreement does not know it. */
  reported?: Reported | undefined;
  /** Oldest first. */
  refunds?: RefundEntry[] | undefined;
  /** Its last run has left no state, so the provider may have refunds of it that its row lacks. No refund is admitted before they are listed. */
  mustListRefunds?: true | undefined;
  /** The provider refuses a retry before this time. */
  retryNotBefore?: Instant | undefined;
  /** How often it was sent in earlier attempts. */
  submissionsBefore?: number | undefined;
  /** The creditor that a retry has set. */
  creditorNow?: RetryPayment['creditor'];
  /** Attempts with dropped facts, oldest first. The newest of them may be incomplete. */
  olderAttempts?: Attempt[] | undefined;
}

/** A run that starts longer after its admission was reset, or waited for a worker. */
const STARTED_WITHIN_MS = 60_000;

type PaymentRequested = Pick<PaymentState, 'uid' | 'connectionId' | 'order' | 'handling' | 'requestedBy'> & {
  requestedAt?: Instant | undefined;
  judged?: Judgement | undefined;
  reportTo?: string | undefined;
};

export function newPayment(requested: PaymentRequested, now: Instant): PaymentState {
  const { uid, connectionId, order, handling, requestedBy, judged, reportTo } = requested;
  const { requestedAt = judged?.at ?? now } = requested;
  const isAdopted = order === undefined;
  const base = followed.newResourceState<PaymentLifecycleState>(
    { uid, connectionId, start: 'requested' },
    now,
    isAdopted,
  );
  const state = { ...base, ...reportingTo(reportTo), order, handling, requestedAt, requestedBy };
  if (isAdopted) return { ...state, adopted: true };
  // The agreement that admitted it has this knowledge.
  const reported = { amount: order.amount, outcome: 'in_flight', failures: 0 } as const;
  const isLate = Date.parse(now) - Date.parse(requestedAt) > STARTED_WITHIN_MS;
  return applyJudgement({ ...state, reported, ...(isLate && { isStartedLate: true }) }, judged);
}

export const stateOf = (state: PaymentState): PaymentLifecycleState =>
  followed.foldedOf(PAYMENT_LIFECYCLE, state).state;

/** The paths at which the provider's payment differs from the order; empty for an adopted payment. */
export function differencesIn(
  { order, adopted, creditorNow }: PaymentState,
  { snapshot }: Fetched<PaymentSnapshot>,
): string[] {
  if (order === undefined || adopted === true) return [];
  // After a retry has changed the creditor, a snapshot may show either of the two.
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

/** Returns the same object if the fact was already known. */
export const applyFact = (state: PaymentState, arrived: Fact): PaymentState =>
  receiveFact(state, arrived, (stored, fact) => {
    const isNewest = isOfNewest(PAYMENT_LIFECYCLE, stored, fact);
    const failure = fact.type === 'failed' && fact.authenticated && isNewest ? failureIn(fact) : undefined;
    const noted = failure === undefined ? stored : { ...stored, failure };
    const flagged = followed.flagUnrecognised(PAYMENT_LIFECYCLE, noted, fact);
    // The event is newer than the last snapshot, so the next snapshot is news in any state.
    return fact.authenticated && isNewest ? openByNews({ ...flagged, snapshotState: undefined }) : flagged;
  });

/** Records our own conclusion as a fact after all others. It stays the last one unless the provider reports otherwise. */
export function applyOwnEnd(
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
  // The earlier failure still decides whether a retry is possible. The look-up shows whether the provider knows more.
  const retryNotBefore =
    retryAfterMs === undefined ? undefined : new Date(Date.parse(now) + retryAfterMs).toISOString();
  return { ...ended, retryNotBefore, isLookUpDue: true };
}

/** The provider refused the submission. */
export const applyRefusal = (state: PaymentState, now: Instant, reason: Refusal): PaymentState =>
  applyOwnEnd(state, now, { verb: 'submit', type: 'refused', causedBy: 'provider' }, reason);

/**
 * The deadline of each attempt: the end of the Sydney day of the request, or the time that the request names. A retry may start after that
 * time. Then the Sydney day of the retry counts.
 */
export function sendBefore(state: PaymentState): Instant | undefined {
  const { requestedAt, handling, submission } = state;
  const isRetry = submission.again !== undefined;
  const startedAt = isRetry ? attemptsOf(state).at(-1)?.startedAt : undefined;
  const endOfDay = endOfSydneyDay(sydneyDayOf(startedAt ?? requestedAt));
  if (!isRetry) return handling?.submitBefore ?? endOfDay;
  return latest([endOfDay, handling?.submitBefore]);
}

/** The latest end of this wait, if known: an unsent payment does not wait beyond its deadline. */
export function waitsUntil(state: PaymentState, step: { do: string; until?: Instant }): Instant | undefined {
  if (step.do === 'await_retry') return step.until;
  if (state.submission.stage !== 'ready' || step.do === 'submit') return undefined;
  return [step.do === 'pause' ? step.until : undefined, sendBefore(state)]
    .filter((at) => at !== undefined)
    .sort()[0];
}

/** Why it must not be sent, as a clause; undefined if it may be. */
export function blockedBy({ blockedByAgreement, withdrawn }: PaymentState): string | undefined {
  if (withdrawn !== undefined) return 'it was withdrawn';
  return blockedByAgreement === undefined
    ? undefined
    : `its agreement no longer allows it (${blockedByAgreement.code})`;
}

/** Starts the search for a payment that a reset run may have sent; undefined if there was no such run, or if the search was already made. */
export const searchIfStartedLate = (state: PaymentState, now: Instant): PaymentState | undefined =>
  state.isStartedLate === true ? restartSearch({ ...state, isStartedLate: undefined }, now) : undefined;

/** It was never sent and never will be. */
export function endUnsent(state: PaymentState, now: Instant): PaymentState {
  const { blockedByAgreement, withdrawn } = state;
  if (withdrawn !== undefined) return applyOwnEnd(state, now, WITHDRAWN, withdrawalIn(withdrawn));
  if (blockedByAgreement === undefined)
    return applyOwnEnd(state, now, { verb: 'lapse', type: 'lapsed', causedBy: 'initiator' }, LAPSED);
  const reason = {
    code: blockedByAgreement.code,
    title: `Not sent: ${blockedByAgreement.detail}`,
    next: 'Request another payment under another uid once its agreement allows it.',
    isTemporary: blockedByAgreement.isTemporary,
  };
  return applyOwnEnd(state, now, { verb: 'bar', type: 'refused', causedBy: 'initiator' }, reason);
}

const WITHDRAWN = { verb: 'withdraw', type: 'withdrawn', causedBy: 'initiator' } as const;
const withdrawalIn = ({ reason, by }: Withdrawal): Refusal & { narrative: string } => ({
  code: 'withdrawn',
  title: `Withdrawn before it was sent, by ${by}`,
  narrative: reason,
});

const LAPSED: Refusal = {
  code: 'lapsed',
  title: 'Not sent before its deadline.',
  next: 'If the payment is still needed, request it under another uid.',
  isTemporary: true,
};

/** The agreement has judged whether it may still be sent. A refusal is final. An admitted retry counts as in flight there. */
export function applyAnswer(state: PaymentState, answer: AgreementAnswer): PaymentState {
  if ('refusal' in answer) return { ...state, blockedByAgreement: answer.refusal };
  const { submission, order, reported } = state;
  const { judged } = answer;
  const before = reported ?? { amount: order?.amount ?? 0, failures: 0 };
  const admitted: Reported = { ...before, outcome: 'in_flight', sentAt: judged.at };
  return applyJudgement(
    {
      ...state,
      submission: { ...submission, hasWaited: undefined },
      ...(submission.again !== undefined && { reported: admitted }),
    },
    judged,
  );
}

/** The state for the next run, within Temporal's payload limit. */
export function stateToCarry(state: PaymentState): PaymentState {
  const short = compact(PAYMENT_LIFECYCLE, state);
  if (short.droppedHashes === state.droppedHashes) return short;
  const stored = new Set(short.facts.map(({ id }) => id));
  const dropped = state.facts.filter(({ id }) => !stored.has(id));
  return {
    ...short,
    olderAttempts: attemptsOf({ ...state, facts: dropped, failure: undefined, submission: undefined }),
  };
}
