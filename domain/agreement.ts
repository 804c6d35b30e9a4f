// The life of one PayTo agreement: which states exist and what moves it between them (facts 7.3, 10).
// Pure: no clock, no I/O, no Temporal. The workflow owns time; this file owns meaning.
import { isFinalIn } from './fold.js';
import type { Fact } from './fact.js';
import type { Life } from './fold.js';

export type AgreementState =
  'pending' | 'created' | 'active' | 'suspended' | 'declined' | 'expired' | 'cancelled' | 'failed';

/** The provider gives the payer five days to decide (interface 8); we ask then, and never decide ourselves. */
export const PAYER_DECISION_MS = 5 * 24 * 60 * 60 * 1000;

// The step from pending to created has no event of its own, so an answer may come while we know only `pending`.
const UNANSWERED = {
  activated: 'active',
  declined: 'declined',
  expired: 'expired',
  cancelled: 'cancelled',
  failed: 'failed',
} as const;

export const AGREEMENT_LIFE: Life<AgreementState> = {
  moves: {
    pending: UNANSWERED,
    created: UNANSWERED,
    active: { suspended: 'suspended', cancelled: 'cancelled' },
    suspended: { reactivated: 'active', cancelled: 'cancelled' },
    declined: {},
    expired: {},
    cancelled: {},
    failed: {},
  },
  telling: new Set(['amended']),
  still: new Set([
    'amendment_declined',
    'amendment_expired',
    'amendment_recalled',
    'amendment_failed',
    'amendment_recall_failed',
    'cancellation_failed',
    'suspension_failed',
    'reactivation_failed',
  ]),
  rank: { pending: 0, created: 1, active: 2, suspended: 2, declined: 3, expired: 3, cancelled: 3, failed: 3 },
  finalRank: 3,
};

export const isFinal = (state: AgreementState): boolean => isFinalIn(AGREEMENT_LIFE, state);

/** Whether the payer, or someone in their place, has answered. */
export const isAnswered = (state: AgreementState): boolean => state !== 'pending' && state !== 'created';

/** Facts of these types take authority away: where they did not move the state, they hold payments back until a look-up. */
const REDUCING: ReadonlySet<string> = new Set(['suspended', 'cancelled', 'expired', 'declined', 'failed']);

/**
 * Whether something says that the payer's authority has gone, and it is not settled yet whether it has (design 4, rule 4).
 * @param open the facts that did not move the state and that no look-up has explained.
 */
export const isHeld = (open: readonly Fact[]): boolean => open.some(({ type }) => REDUCING.has(type));
