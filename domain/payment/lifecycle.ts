// The life of one PayTo payment (docs/provider.md#payments-states). Pure. Five states are ours: `requested`, the provider has not answered
// yet; `lapsed`, it was never sent, as its time was over before it could be; `withdrawn`, it was never sent, as it was no longer wanted;
// `retrying`, it has failed and is tried again; and `unresolved`, an operator gave up asking whether the provider has it.
import { repeatedFailures } from './late-failures.js';
import { isFinalIn } from '../facts/fold.js';
import { shortened } from '../facts/retention.js';
import type { Fact } from '../facts/fact.js';
import type { Lifecycle } from '../facts/fold.js';

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

/** Why a payment did not happen, as the provider says it (docs/provider.md#payments-failures), or the code it was refused with. */
export interface PaymentFailure {
  code?: string | undefined;
  title?: string | undefined;
  detail?: string | undefined;
  retryable?: boolean | undefined;
  /** What a person should do about it: ours, from the error table or of our own code. */
  next?: string | undefined;
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
    // Final unless retried (docs/provider.md#payments-states), so later news of it is believed.
    failed: {
      pending: 'pending',
      under_investigation: 'under_investigation',
      settled: 'settled',
      // What a refusal or a snapshot seemed to say already: it agrees.
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
    // Whatever the provider shows of an attempt is further than its beginning.
    retrying: 0,
    unresolved: 4,
    settled: 5,
  },
  finalRank: 5,
  repeats: repeatedFailures,
};

/** In which nothing more is awaited, unless it is tried again or the provider says otherwise. */
const ENDED: ReadonlySet<PaymentLifecycleState> = new Set(['failed', 'lapsed', 'withdrawn', 'unresolved']);

/** Whether nothing more is awaited: settled for good, failed and not being retried, never sent, or given up. */
export const isPaymentFinal = (state: PaymentLifecycleState): boolean =>
  ENDED.has(state) || isFinalIn(PAYMENT_LIFECYCLE, state);

/** What a fact says of why it failed. */
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

/** No event says which of the two it is, and to all but the provider both say that it is on its way. */
const ON_ITS_WAY: ReadonlySet<string> = new Set<PaymentLifecycleState>(['created', 'submitting']);

/** Whether a payment that is known to show one state is no news for showing the other. */
export const showsTheSame = (state: string, before: string): boolean =>
  state === before || (ON_ITS_WAY.has(state) && ON_ITS_WAY.has(before));
