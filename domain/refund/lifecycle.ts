// The life of one refund (docs/provider.md#refunds), and how many cents of a payment may be refunded. Pure. Two states are ours:
// `requested`, the provider has not answered yet; and `unresolved`, an operator gave up asking whether the provider has it.
import { isSame } from '../commands/differences.js';
import { repeatOfUse } from '../commands/key-use.js';
import { isFinalIn } from '../facts/fold.js';
import type { Instant } from '../facts/fact.js';
import type { Lifecycle } from '../facts/fold.js';
import type { KeyRegister, KeyUse, Repeat } from '../commands/key-use.js';
import type { PaymentLifecycleState } from '../payment/lifecycle.js';
import type { RefundOrder } from './request.schema.js';

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
    // What is paid by a PayTo payment may be tried again, and so later news of it is believed.
    failed: { processed: 'processed' },
    unresolved: ENDS,
  },
  needsLookUp: new Set(),
  still: new Set(['attention_resolved']),
  rank: { requested: 0, created: 1, processing: 2, failed: 3, unresolved: 3, processed: 4 },
  finalRank: 4,
};

/** Whether nothing more is awaited, unless the provider says otherwise. */
export const isRefundFinal = (state: RefundLifecycleState): boolean =>
  state === 'failed' || state === 'unresolved' || isFinalIn(REFUND_LIFECYCLE, state);

/** What became of a refund, as its payment counts it. Of `unresolved` it is not known: it may have been paid back. */
export const REFUND_OUTCOMES = ['under_way', 'processed', 'failed', 'unresolved'] as const;
export type RefundOutcome = (typeof REFUND_OUTCOMES)[number];

export const outcomeOfRefund = (state: RefundLifecycleState): RefundOutcome =>
  state === 'requested' || state === 'created' || state === 'processing' ? 'under_way' : state;

/** A refund, as its payment keeps it. */
export interface RefundEntry {
  uid: string;
  /** Cents. */
  amount: number;
  /** Absent for one that was found at the provider. */
  order?: RefundOrder | undefined;
  requestedAt: Instant;
  /** The principal that asked for it; absent for one that was found at the provider. */
  requestedBy?: string | undefined;
  outcome: RefundOutcome;
  /** Since when. */
  outcomeAt: Instant;
}

/** What a refund reports to its payment each time that it changes. */
export interface RefundReport {
  uid: string;
  amount: number;
  outcome: RefundOutcome;
  /** Since when, by the provider's clock where the provider published it. */
  at: Instant;
}

export interface RefundRequest {
  uid: string;
  order: RefundOrder;
  use?: KeyUse | undefined;
  /** The principal that asked for it. */
  by?: string | undefined;
}

/** Where a payment stands, as far as its refunds care. */
export interface Refundable extends KeyRegister {
  state: PaymentLifecycleState | 'unknown';
  /** Cents; absent where that is not known yet. */
  amount: number | undefined;
  refunds: readonly RefundEntry[];
}

const centsOf = (refunds: readonly RefundEntry[], isCounted: (outcome: RefundOutcome) => boolean): number =>
  refunds.reduce((sum, { amount, outcome }) => (isCounted(outcome) ? sum + amount : sum), 0);

/** Cents that the payer has back. */
export const refundedIn = (refunds: readonly RefundEntry[]): number =>
  centsOf(refunds, (outcome) => outcome === 'processed');

/** Cents that may have been refunded, or may be yet: of what has failed none. */
export const claimedIn = (refunds: readonly RefundEntry[]): number =>
  centsOf(refunds, (outcome) => outcome !== 'failed');

export const isRefundUnderWay = (refunds: readonly RefundEntry[] = []): boolean =>
  refunds.some(({ outcome }) => outcome === 'under_way');

/** So many are kept of one payment, those that failed included. */
export const MOST_REFUNDS = 100;

export const REFUND_REFUSAL_CODES = [
  'payment_not_settled',
  'refund_over_payment',
  'too_many_refunds',
  'refund_uid_conflict',
  'refund_key_conflict',
] as const;
export type RefundRefusalCode = (typeof REFUND_REFUSAL_CODES)[number];

export interface RefundRefusal {
  code: RefundRefusalCode;
  detail: string;
  pointer?: string | undefined;
}

/** Whether it was asked for before. The key stands above the uid. */
export function repeatOfRefund(
  { refunds, uses }: Pick<Refundable, 'refunds' | 'uses'>,
  { uid, order, use }: RefundRequest,
): Repeat | 'other_key' {
  if (repeatOfUse({ uses }, use) === 'other') return 'other_key';
  const found = refunds.find((entry) => entry.uid === uid);
  if (found === undefined) return 'none';
  return found.order !== undefined && isSame(found.order, order) ? 'same' : 'other';
}

/** Why it is not admitted; nothing where it may be, and where it was before. */
export function refusalOfRefund(payment: Refundable, request: RefundRequest): RefundRefusal | undefined {
  const { uid } = request;
  switch (repeatOfRefund(payment, request)) {
    case 'same':
      return undefined;
    case 'other':
      return refundUidConflict(`Refund ${uid} was asked for before with other particulars.`);
    case 'other_key':
      return { code: 'refund_key_conflict', detail: 'This key was used before, for something else.' };
    case 'none':
      return refusalOfNew(payment, request);
  }
}

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
      detail: `Expected a payment that has settled; this one is ${state}.`,
    };
  if (refunds.length >= MOST_REFUNDS)
    return {
      code: 'too_many_refunds',
      detail: `Expected at most ${MOST_REFUNDS} refunds of a payment, those that failed included.`,
    };
  const requested = order.refund_payment.amount;
  const left = amount - claimedIn(refunds);
  if (requested <= left) return undefined;
  return {
    code: 'refund_over_payment',
    detail: `Expected at most ${left} cents, as all refunds together may not be more than the payment; met ${requested}.`,
    pointer: '/refund_payment/amount',
  };
}

/** What is paid from a float account is known by its first word from other entries there (docs/provider.md#errors, ZPREF12). */
const FIRST_WORD = 'REFUND';

/** Whether the description begins as the scheme demands of a refund by payment (ZPREF12). */
export const isDescribedAsRefund = ({ refund_payment: { type, description } }: RefundOrder): boolean =>
  type !== 'float_bank_payment' || description === undefined || description.startsWith(FIRST_WORD);
