// The states of a refund (docs/provider.md#refunds), and how many cents of a payment may be refunded. Pure. Two states are ours.
// `requested`: the provider has not answered. `unresolved`: an operator gave up, and the outcome is unknown.
import { isSame } from '../commands/differences.js';
import { repeatOfUse, type KeyRegister, type KeyUse, type Repeat } from '../commands/key-use.js';
import { isFinalIn, type Lifecycle } from '../facts/fold.js';
import type { RecordedBefore } from '../commands/records-needed.js';
import type { Instant } from '../facts/fact.js';
import type { PaymentFailure, PaymentLifecycleState } from '../payment/lifecycle.js';
import type { RefundOrder } from './request.schema.js';
import type { ResourceSnapshot } from '../facts/snapshot.js';
import type { Compared } from '../sweep/comparison.js';

export const REFUND_STATES = [
  'requested',
  'created',
  'processing',
  'processed',
  'failed',
  'unresolved',
] as const;
export type RefundLifecycleState = (typeof REFUND_STATES)[number];

const ENDS = { processed: 'processed', failed: 'failed' } as const;

export const REFUND_LIFECYCLE: Lifecycle<RefundLifecycleState> = {
  moves: {
    requested: { ...ENDS, refused: 'failed', unresolved: 'unresolved' },
    created: ENDS,
    processing: ENDS,
    processed: {},
    // A refund by PayTo payment may be retried, so a later success still counts.
    failed: { processed: 'processed' },
    unresolved: ENDS,
  },
  needsLookUp: new Set(),
  still: new Set(['attention_resolved']),
  rank: { requested: 0, created: 1, processing: 2, failed: 3, unresolved: 3, processed: 4 },
  finalRank: 4,
};

/** Whether no further change is expected, unless the provider reports one. */
export const isRefundFinal = (state: RefundLifecycleState): boolean =>
  state === 'failed' || state === 'unresolved' || isFinalIn(REFUND_LIFECYCLE, state);

/** The outcome of a refund, as its payment counts it. `unresolved`: the outcome is unknown, and the payer may have the money back. */
export const REFUND_OUTCOMES = ['under_way', 'processed', 'failed', 'unresolved'] as const;
export type RefundOutcome = (typeof REFUND_OUTCOMES)[number];

export const outcomeOfRefund = (state: RefundLifecycleState): RefundOutcome =>
  state === 'requested' || state === 'created' || state === 'processing' ? 'under_way' : state;

/** A refund in its payment's state. */
export interface RefundEntry {
  uid: string;
  /** Cents. */
  amount: number;
  /** Absent if the refund was found at the provider. */
  order?: RefundOrder | undefined;
  requestedAt: Instant;
  /** The principal that requested it; absent if the refund was found at the provider. */
  requestedBy?: string | undefined;
  outcome: RefundOutcome;
  outcomeAt: Instant;
}

/** A refund's report to its payment after each change. */
export interface RefundReport {
  uid: string;
  amount: number;
  outcome: RefundOutcome;
  /** When the outcome started, by the provider's clock if the provider published it. */
  at: Instant;
}

export interface RefundRequest {
  uid: string;
  order: RefundOrder;
  use?: KeyUse | undefined;
  by?: string | undefined;
  /** What the records have under its uid or key: nothing, or the first request. Undefined if they were away. */
  recorded?: RecordedBefore | undefined;
}

/** The fields of a payment that decide whether it may be refunded. */
export interface Refundable extends KeyRegister {
  state: PaymentLifecycleState | 'unknown';
  /** Cents; absent if unknown. */
  amount: number | undefined;
  refunds: readonly RefundEntry[];
}

const centsOf = (refunds: readonly RefundEntry[], isCounted: (outcome: RefundOutcome) => boolean): number =>
  refunds.reduce((sum, { amount, outcome }) => (isCounted(outcome) ? sum + amount : sum), 0);

/** Cents that the payer has received back. */
export const refundedIn = (refunds: readonly RefundEntry[]): number =>
  centsOf(refunds, (outcome) => outcome === 'processed');

/** Cents that were refunded, or may still be. Failed refunds do not count. */
const claimedIn = (refunds: readonly RefundEntry[]): number =>
  centsOf(refunds, (outcome) => outcome !== 'failed');

export const isRefundUnderWay = (refunds: readonly RefundEntry[] = []): boolean =>
  refunds.some(({ outcome }) => outcome === 'under_way');

/** The most refunds of one payment, including failed ones. */
export const MOST_REFUNDS = 100;

export type RefundRefusalCode =
  | 'payment_not_settled'
  | 'refund_over_payment'
  | 'too_many_refunds'
  | 'refund_uid_conflict'
  | 'refund_key_conflict';

export interface RefundRefusal {
  code: RefundRefusalCode;
  detail: string;
  pointer?: string | undefined;
}

/** Whether the refund was requested before. The key takes precedence over the uid. */
export function repeatOfRefund(
  { refunds, uses }: Pick<Refundable, 'refunds' | 'uses'>,
  { uid, order, use, recorded }: RefundRequest,
): Repeat | 'other_key' {
  if (repeatOfUse({ uses }, use) === 'other') return 'other_key';
  const found = refunds.find((entry) => entry.uid === uid);
  if (found === undefined) return recorded === undefined || recorded === 'nothing' ? 'none' : 'same';
  return found.order !== undefined && isSame(found.order, order) ? 'same' : 'other';
}

/** Why the refund is refused; undefined if it is allowed or a repeat. */
export function refusalOfRefund(payment: Refundable, request: RefundRequest): RefundRefusal | undefined {
  const { uid } = request;
  switch (repeatOfRefund(payment, request)) {
    case 'same':
      return undefined;
    case 'other':
      return refundUidConflict(`Refund ${uid} was requested before with different details.`);
    case 'other_key':
      return REFUND_KEY_CONFLICT;
    case 'none':
      return refusalOfNew(payment, request);
  }
}

export const REFUND_KEY_CONFLICT: RefundRefusal = {
  code: 'refund_key_conflict',
  detail: 'This key was already used for a different request. Use a new key.',
};

export const refundUidConflict = (detail: string): RefundRefusal => ({
  code: 'refund_uid_conflict',
  detail,
  pointer: '/uid',
});

function refusalOfNew(
  { state, amount, refunds }: Refundable,
  { order }: RefundRequest,
): RefundRefusal | undefined {
  if (state !== 'settled' || amount === undefined)
    return {
      code: 'payment_not_settled',
      detail: `Expected a settled payment; this one is ${state}.`,
    };
  if (refunds.length >= MOST_REFUNDS)
    return {
      code: 'too_many_refunds',
      detail: `Expected at most ${MOST_REFUNDS} refunds of a payment, including failed ones.`,
    };
  const requested = order.refund_payment.amount;
  const left = amount - claimedIn(refunds);
  if (requested <= left) return undefined;
  return {
    code: 'refund_over_payment',
    detail: `Expected at most ${left} cents, because all refunds together must not exceed the payment; got ${requested}.`,
    pointer: '/refund_payment/amount',
  };
}

/** The description of a refund from a float account must start with this word (docs/provider.md#refunds, ZPREF12). */
const FIRST_WORD = 'REFUND';

/** Whether the description of a refund from a float account starts as the provider requires (ZPREF12). */
export const isDescribedAsRefund = ({ refund_payment: { type, description } }: RefundOrder): boolean =>
  type !== 'float_bank_payment' || description === undefined || description.startsWith(FIRST_WORD);

export interface RefundSnapshot extends ResourceSnapshot {
  /** The fields that the provider returned. */
  order: Partial<Pick<RefundOrder, 'original_payment_uid'>> & { refund_payment?: RefundPayment | undefined };
  failure?: RefundFailure | undefined;
}

/** The provider does not show whether a refund is retryable. */
export type RefundFailure = Omit<PaymentFailure, 'retryable'>;

/** How a refund is paid, as the provider shows it. */
export interface RefundPayment {
  type?: string | undefined;
  uid?: string | undefined;
  agreement_uid?: string | undefined;
  float_bank_account_id?: string | undefined;
  amount?: number | undefined;
  description?: string | undefined;
}

const UNDER_WAY = ['created', 'processing'] as const satisfies RefundLifecycleState[];

/** How a sweep compares refunds. */
export const REFUNDS: Compared = {
  live: UNDER_WAY,
  over: ['processed', 'failed'] satisfies RefundLifecycleState[],
  existing: UNDER_WAY,
  differs: (here, there) => here !== there && !(isUnderWay(here) && isUnderWay(there)),
};

const isUnderWay = (state: string): boolean =>
  state === 'requested' || UNDER_WAY.some((one) => one === state);
