// The states of a PayTo payment (docs/provider.md#payments-states). Pure. Five states are ours. `requested`: the provider has not answered.
// `lapsed`: not sent in time. `withdrawn`: withdrawn before it was sent. `retrying`: failed, with a pending retry. `unresolved`: an operator
// gave up, and the outcome is unknown.
import { repeatedFailures } from './late-failures.js';
import { isFinalIn, type Lifecycle } from '../facts/fold.js';
import { shortened } from '../facts/retention.js';
import type { Fact } from '../facts/fact.js';
import type { ResourceSnapshot } from '../facts/snapshot.js';
import type { Compared } from '../sweep/comparison.js';
import type { Party, PaymentOrder } from '../agreement/mandate.js';

export const PAYMENT_STATES = [
  'requested',
  'created',
  'submitting',
  'pending',
  'under_investigation',
  'settled',
  'failed',
  'lapsed',
  'withdrawn',
  'retrying',
  'unresolved',
] as const;
export type PaymentLifecycleState = (typeof PAYMENT_STATES)[number];

/** Why a payment failed, as the provider reports it (docs/provider.md#payments-failures), or the code of its refusal. */
export interface PaymentFailure {
  code?: string | undefined;
  title?: string | undefined;
  detail?: string | undefined;
  retryable?: boolean | undefined;
  /** What a person should do about it. This is our text, from the error table or for one of our own codes. */
  next?: string | undefined;
  /** It was not sent, or was refused, for a temporary reason: the same payment may be possible later. */
  isTemporary?: true | undefined;
}

const UNFINISHED = {
  pending: 'pending',
  under_investigation: 'under_investigation',
  settled: 'settled',
  failed: 'failed',
} as const;

export const PAYMENT_LIFECYCLE: Lifecycle<PaymentLifecycleState> = {
  moves: {
    requested: {
      ...UNFINISHED,
      refused: 'failed',
      lapsed: 'lapsed',
      withdrawn: 'withdrawn',
      unresolved: 'unresolved',
    },
    created: UNFINISHED,
    submitting: UNFINISHED,
    pending: UNFINISHED,
    under_investigation: UNFINISHED,
    settled: {},
    // Final unless retried (docs/provider.md#payments-states), so later events and snapshots still count.
    failed: {
      pending: 'pending',
      under_investigation: 'under_investigation',
      settled: 'settled',
      // An event may confirm the failure that a refusal or a snapshot showed first.
      failed: 'failed',
      retried: 'retrying',
    },
    lapsed: UNFINISHED,
    withdrawn: UNFINISHED,
    retrying: { ...UNFINISHED, refused: 'failed', unresolved: 'unresolved' },
    unresolved: UNFINISHED,
  },
  needsLookUp: new Set(),
  still: new Set(['attention_resolved']),
  rank: {
    requested: 0,
    created: 1,
    submitting: 2,
    pending: 3,
    under_investigation: 3,
    failed: 4,
    lapsed: 4,
    withdrawn: 4,
    // Every state that the provider shows of the new attempt is further than its start.
    retrying: 0,
    unresolved: 4,
    settled: 5,
  },
  finalRank: 5,
  repeats: repeatedFailures,
};

/** No further change is expected, unless the payment is retried or the provider reports one. */
const ENDED: ReadonlySet<PaymentLifecycleState> = new Set(['failed', 'lapsed', 'withdrawn', 'unresolved']);

/** Whether no further change is expected: settled, failed without a pending retry, never sent, or given up. */
export const isPaymentFinal = (state: PaymentLifecycleState): boolean =>
  ENDED.has(state) || isFinalIn(PAYMENT_LIFECYCLE, state);

/** The failure in a fact. */
export function failureIn({ detail, reason }: Pick<Fact, 'detail' | 'reason'>): PaymentFailure | undefined {
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

/** No event distinguishes these two states, and for us both mean that the payment is in flight. */
const ON_ITS_WAY: ReadonlySet<string> = new Set<PaymentLifecycleState>(['created', 'submitting']);

/** Whether the state brings no news compared with the previous one. */
export const showsTheSame = (state: string, before: string): boolean =>
  state === before || (ON_ITS_WAY.has(state) && ON_ITS_WAY.has(before));

export interface PaymentSnapshot extends ResourceSnapshot {
  order: Partial<PaymentOrder>;
  failure?: PaymentFailure | undefined;
  debtor?: Party | undefined;
}

const UNDER_WAY = [
  'created',
  'submitting',
  'pending',
  'under_investigation',
] as const satisfies PaymentLifecycleState[];

/** How a sweep compares payments. */
export const PAYMENTS: Compared = {
  live: UNDER_WAY,
  over: ['settled', 'failed'] satisfies PaymentLifecycleState[],
  existing: UNDER_WAY,
  // If both sides are in progress, the payment's own workflow polls sooner than the next sweep.
  differs: (here, there) => here !== there && !(isUnderWay(here) && isUnderWay(there)),
};

const isUnderWay = (state: string): boolean =>
  state === 'requested' || state === 'retrying' || UNDER_WAY.some((one) => one === state);
