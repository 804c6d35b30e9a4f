// The state of a refund, and how facts, snapshots and operators change it. Plain JSON and pure. It is submitted again only
// after the provider has certainly not received it (resource/submission/state.ts).
import { differences } from '../../domain/commands/differences.js';
import { failureIn } from '../../domain/payment/lifecycle.js';
import {
  REFUND_LIFECYCLE,
  outcomeOfRefund,
  type RefundOutcome,
  type RefundReport,
  type RefundLifecycleState,
  type RefundFailure,
  type RefundSnapshot,
} from '../../domain/refund/lifecycle.js';
import * as entity from '../resource/attention.js';
import * as followed from '../resource/state.js';
import { isUnproven, openByNews, receiveFact } from '../resource/others.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';
import type { RefundOrder } from '../../domain/refund/request.schema.js';
import type { AttentionResolution } from '../../domain/attention/resolution.js';
import type { Fetched, Refusal } from '../../domain/facts/snapshot.js';

export interface RefundState extends followed.ResourceState<RefundLifecycleState> {
  /** The requested refund. For an adopted refund, only the fields that the provider returns. */
  order?: RefundOrder | RefundSnapshot['order'] | undefined;
  /** It was found at the provider, or an operator adopted a refund from there in its place. */
  adopted?: true | undefined;
  requestedAt: Instant;
  /** The principal that requested it; absent if it was found at the provider. */
  requestedBy?: string | undefined;
  failure?: RefundFailure | undefined;
  /** The outcome in the latest report to its payment. */
  reported?: RefundOutcome | undefined;
  /** The time in it. */
  reportedAt?: Instant | undefined;
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
  const base = followed.newResourceState<RefundLifecycleState>(
    { uid, connectionId, start: 'requested' },
    now,
    isAdopted,
  );
  // Its payment counts it as under way from the start.
  return {
    ...base,
    requestedAt,
    requestedBy,
    ...(isAdopted ? { adopted: true } : { order, reported: 'under_way' }),
  };
}

/** The order to submit. An adopted refund has none. */
export function orderOf({ uid, order, adopted }: RefundState): RefundOrder {
  if (order === undefined || adopted === true || !isWhole(order))
    throw new Error(`refund ${uid} has no order to submit; expected a refund that we requested`);
  return order;
}

/** Whether it can be submitted. */
export const isWhole = (order: NonNullable<RefundState['order']>): order is RefundOrder =>
  order.original_payment_uid !== undefined && order.refund_payment?.amount !== undefined;

/** The paths at which the provider's refund differs from the order; empty for an adopted refund. */
export const differencesIn = (
  { order, adopted }: RefundState,
  { snapshot }: Fetched<RefundSnapshot>,
): string[] => (order === undefined || adopted === true ? [] : differences(order, snapshot.order));

export const applySnapshot = (state: RefundState, { snapshot }: Fetched<RefundSnapshot>): RefundState => ({
  ...state,
  order: state.adopted === true ? snapshot.order : state.order,
  failure: snapshot.failure ?? state.failure,
});

/** Returns the same object if the fact was already known. */
export const applyFact = (state: RefundState, arrived: Fact): RefundState =>
  receiveFact(state, arrived, (stored, fact) => {
    const failure = fact.type === 'failed' && fact.authenticated ? failureIn(fact) : undefined;
    const received = failure === undefined ? stored : { ...stored, failure };
    const noted = followed.flagUnrecognised(REFUND_LIFECYCLE, received, fact);
    // The event is newer than the last snapshot, so the next snapshot is news in any state.
    return fact.authenticated ? openByNews({ ...noted, snapshotState: undefined }) : noted;
  });

const applyOwnEnd: typeof entity.applyEnd<RefundState> = (state, now, end, reason) =>
  entity.applyEnd({ ...state, failure: reason }, now, end, reason);

/** The provider refused the submission. */
export const applyRefusal = (state: RefundState, now: Instant, reason: Refusal): RefundState =>
  applyOwnEnd(state, now, { verb: 'submit', type: 'refused', causedBy: 'provider' }, reason);

export const resolveFlag = (state: RefundState, resolution: AttentionResolution, now: Instant): RefundState =>
  entity.resolveFlag(
    state,
    resolution,
    now,
    entity.decideParked({ noun: 'refund', applyOwnEnd, made: 'refunded' }),
  );

export interface DueReport {
  paymentUid: string;
  report: RefundReport;
}

/** Undefined if the payment already has it, or while the payment is unknown. */
export function reportDue(state: RefundState): DueReport | undefined {
  const { uid, order, requestedAt, reported, reportedAt, submission } = state;
  const { original_payment_uid: paymentUid, refund_payment: { amount } = {} } = order ?? {};
  if (paymentUid === undefined || amount === undefined) return undefined;
  if (submission.stage === 'adopting' || submission.stage === 'unknown' || isUnproven(state))
    return undefined;
  // Until a claimed refund is sent, a repeat of its request can still count it (payment/refunds.ts).
  if (submission.stage === 'sent' && submission.count === 0) return undefined;
  const { state: lifecycleState, since = requestedAt } = followed.foldedOf(REFUND_LIFECYCLE, state);
  const outcome = outcomeOfRefund(lifecycleState);
  // An event may correct the time of an outcome that a look-up showed first.
  const isSameTime = outcome === 'under_way' || since === (reportedAt ?? since);
  if (outcome === reported && isSameTime) return undefined;
  return { paymentUid, report: { uid, amount, outcome, at: since } };
}

export const markReported = (state: RefundState, { report: { outcome, at } }: DueReport): RefundState => ({
  ...state,
  reported: outcome,
  reportedAt: at,
});
