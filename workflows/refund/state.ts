// What a refund workflow keeps, and what facts, snapshots and operators change in it. Plain JSON and pure. It is never submitted twice,
// as entity/submission.ts has it.
import { differences } from '../../domain/commands/differences.js';
import { failureIn } from '../../domain/payment/lifecycle.js';
import { REFUND_LIFECYCLE, outcomeOfRefund } from '../../domain/refund/lifecycle.js';
import * as entity from '../entity/resource/attention.js';
import * as followed from '../entity/resource/state.js';
import {
  isUidOfAnother,
  isUnproven,
  leaveToOther,
  openByNews,
  recordOthersFact,
} from '../entity/resource/others.js';
import { newSubmission, markOpen, restartSearch } from '../entity/resource/submission.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';
import type { RefundOutcome, RefundReport, RefundLifecycleState } from '../../domain/refund/lifecycle.js';
import type { RefundOrder } from '../../domain/refund/request.schema.js';
import type { AttentionResolution, Decision } from '../../domain/attention/resolution.js';
import type { Fetched, Refusal, RefundFailure, RefundSnapshot } from '../../domain/facts/snapshot.js';

export interface RefundState extends followed.ResourceState<RefundLifecycleState> {
  /** What is asked for; of one that was found at the provider as much as it shows. */
  order?: RefundOrder | RefundSnapshot['order'] | undefined;
  /** It was found at the provider, or what was found there was taken for it. */
  adopted?: true | undefined;
  requestedAt: Instant;
  /** The principal that asked for it; absent where it was found at the provider. */
  requestedBy?: string | undefined;
  failure?: RefundFailure | undefined;
  /** What was last reported to its payment. */
  reported?: RefundOutcome | undefined;
}

export function newRefund(
  input: Pick<RefundState, 'uid' | 'connectionId' | 'requestedBy'> & {
    requestedAt?: Instant | undefined;
    order?: RefundOrder | undefined;
  },
  now: Instant,
): RefundState {
  const { uid, connectionId, order, requestedAt = now, requestedBy } = input;
  const isAdopted = order === undefined;
  const submission = newSubmission(isAdopted ? 'adopting' : 'ready');
  const awaiting = { what: isAdopted ? 'look-up' : 'provider-acceptance', since: now } as const;
  const base = followed.newResourceState<RefundLifecycleState>(
    { uid, connectionId, submission, start: 'requested' },
    awaiting,
  );
  // Its payment has it under way from the start.
  return {
    ...base,
    requestedAt,
    requestedBy,
    ...(isAdopted ? { adopted: true } : { order, reported: 'under_way' }),
  };
}

/** As it is submitted: of what was found at the provider nothing is. */
export function orderOf({ uid, order, adopted }: RefundState): RefundOrder {
  if (order === undefined || adopted === true || !isWhole(order))
    throw new Error(`expected refund ${uid} to have an order that was asked for here`);
  return order;
}

const isWhole = (order: NonNullable<RefundState['order']>): order is RefundOrder =>
  order.original_payment_uid !== undefined && order.refund_payment?.amount !== undefined;

/** The paths at which the provider's refund differs from the order; none where it was adopted. */
export const differencesIn = (
  { order, adopted }: RefundState,
  { snapshot }: Fetched<RefundSnapshot>,
): string[] => (order === undefined || adopted === true ? [] : differences(order, snapshot.order));

export const applySnapshot = (state: RefundState, { snapshot }: Fetched<RefundSnapshot>): RefundState => ({
  ...state,
  order: state.adopted === true ? snapshot.order : state.order,
  failure: snapshot.failure ?? state.failure,
});

/** The very same state where the fact was known. */
export function recordFact(state: RefundState, arrived: Fact): RefundState {
  if (isUidOfAnother(state)) return recordOthersFact(state, arrived);
  const fact = followed.withoutForeignAuthority(state, arrived);
  const stored = followed.storeFact(state, fact);
  if (stored.facts === state.facts) return stored;
  const failure = fact.type === 'failed' && fact.authenticated ? failureIn(fact) : undefined;
  const received = failure === undefined ? stored : { ...stored, failure };
  const noted = followed.flagUnrecognised(REFUND_LIFECYCLE, received, fact);
  // An event makes the last snapshot old: it is no measure any more of what is new.
  return fact.authenticated ? openByNews({ ...noted, snapshotState: undefined }) : noted;
}

const recordOwnEnd: typeof entity.recordEnd<RefundState> = (state, now, end, reason) =>
  entity.recordEnd({ ...state, failure: reason }, now, end, reason);

/** The provider would not take it. */
export const recordRefusal = (state: RefundState, now: Instant, reason: Refusal): RefundState =>
  recordOwnEnd(state, now, { verb: 'submit', type: 'refused', causedBy: 'provider' }, reason);

/** A repeat changes nothing. Expects what `validateResolution` let through. */
export const resolveFlag = (state: RefundState, resolution: AttentionResolution, now: Instant): RefundState =>
  entity.resolveFlag(state, resolution, now, applyDecision);

/**
 * What is parked goes on. Where the uid holds another refund: as that one, or ours was never sent. Where it is not known what became of
 * it: it is asked for once more, or it is asked for no more, and it may have been paid back.
 */
function applyDecision(state: RefundState, decision: Decision, now: Instant): RefundState {
  const isAnothers = isUidOfAnother(state);
  if (decision === 'adopt')
    return isAnothers ? { ...markOpen(state), adopted: true, isLookUpDue: true } : restartSearch(state, now);
  if (isAnothers) {
    const end = { verb: 'close', type: 'refused', causedBy: 'initiator' };
    return recordOwnEnd(leaveToOther(state), now, end, CLOSED);
  }
  return markOpen(
    recordOwnEnd(state, now, { verb: 'give-up', type: 'unresolved', causedBy: 'initiator' }, UNRESOLVED),
  );
}

const CLOSED: Refusal = {
  code: 'closed',
  title: 'Given up by an operator: the provider has another refund under this uid.',
  next: 'Ask for another refund, under another uid, if it is still wanted.',
};
const UNRESOLVED: Refusal = {
  code: 'unresolved',
  title: 'Given up by an operator: it is not known whether the provider has it.',
  next: 'Take it for paid back until the provider says otherwise, and never ask for it under another uid before. An event of the provider’s about it is taken up.',
};

/** A report, and the payment that it is for. */
export interface DueReport {
  paymentUid: string;
  report: RefundReport;
}

/** Nothing where its payment knows, and while it is not known which one that is. */
export function reportDue(state: RefundState): DueReport | undefined {
  const { uid, order, requestedAt, reported, submission } = state;
  const { original_payment_uid: paymentUid, refund_payment: { amount } = {} } = order ?? {};
  if (paymentUid === undefined || amount === undefined) return undefined;
  if (submission.stage === 'adopting' || submission.stage === 'unknown' || isUnproven(state))
    return undefined;
  const { state: lifecycleState, since = requestedAt } = followed.foldedOf(REFUND_LIFECYCLE, state);
  const outcome = outcomeOfRefund(lifecycleState);
  return outcome === reported ? undefined : { paymentUid, report: { uid, amount, outcome, at: since } };
}

export const markReported = (state: RefundState, { report: { outcome } }: DueReport): RefundState => ({
  ...state,
  reported: outcome,
});

/** What a run leaves to the next, within Temporal's limit for a payload. */
export const stateToCarry = (state: RefundState): RefundState => followed.compact(REFUND_LIFECYCLE, state);
