// The life of one PayTo payment (docs/provider.md#payments-states). Pure. Two states are ours: `requested`, the provider has not answered
// yet, and `lapsed`, it was never sent, as its day was over before it could be.
import { isFinalIn } from './fold.js';
import type { Life } from './fold.js';

export const PAYMENT_STATES = [
  'requested',
  'created',
  'submitting',
  'pending',
  'under_investigation',
  'settled',
  'failed',
  'lapsed',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

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

export const PAYMENT_LIFE: Life<PaymentState> = {
  moves: {
    requested: { ...UNFINISHED, refused: 'failed', lapsed: 'lapsed' },
    created: UNFINISHED,
    submitting: UNFINISHED,
    pending: UNFINISHED,
    under_investigation: UNFINISHED,
    settled: {},
    // Final unless retried (docs/provider.md#payments-states), so later news of it is believed.
    failed: { pending: 'pending', under_investigation: 'under_investigation', settled: 'settled' },
    lapsed: UNFINISHED,
  },
  needsLookUp: new Set(),
  still: new Set(),
  rank: {
    requested: 0,
    created: 1,
    submitting: 2,
    pending: 3,
    under_investigation: 3,
    failed: 4,
    lapsed: 4,
    settled: 5,
  },
  finalRank: 5,
};

/** Whether nothing more is awaited: settled for good, failed and not being retried, or never sent. */
export const isPaymentFinal = (state: PaymentState): boolean =>
  state === 'failed' || state === 'lapsed' || isFinalIn(PAYMENT_LIFE, state);
