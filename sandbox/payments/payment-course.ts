// Where each script leads a payment after `submitting`, step by step, and how long it waits before each step.
import type { PaymentFailure, PaymentScript, PaymentSimulation, PaymentState } from './payment.schema.js';
import { FAILURE_CODES, FAILURE_WORDS, RETRYABLE_CODES, type FailureCode } from './payment-failures.js';

/** Nothing at the provider happens in no time. */
export const STEP_MS = 20;
/** Without an outcome by then, counted from the submission, a payment is `pending` (facts 8.2). */
const PENDING_AFTER_MS = 35_000;
/** For so long the provider sends a pending payment again by itself (facts 8.2: about 40 hours). */
const RESENT_FOR_MS = 40 * 60 * 60_000;

export interface Step {
  to: Exclude<PaymentState, 'created' | 'submitting'>;
  failure?: PaymentFailure;
  waitMs: (script: PaymentScript) => number;
}

const afterDelay = ({ delay }: PaymentScript): number => STEP_MS + delay * 1000;
/** Ours: the delay is the time spent pending; without one, it lasts until the provider gives up. */
const whilePending = ({ delay }: PaymentScript): number => (delay === 0 ? RESENT_FOR_MS : delay * 1000);

export function failureOf(code: FailureCode): PaymentFailure {
  const [title, detail] = FAILURE_WORDS[code];
  return { code, title, detail, retryable: RETRYABLE_CODES.some((retryable) => retryable === code) };
}

const settled = (waitMs = afterDelay): Step => ({ to: 'settled', waitMs });
const investigated = (waitMs = afterDelay): Step => ({ to: 'under_investigation', waitMs });
const failed = (code: FailureCode, waitMs = afterDelay): Step => ({
  to: 'failed',
  failure: failureOf(code),
  waitMs,
});
/** From its submission, which comes a step after the call. */
const PENDING: Step = { to: 'pending', waitMs: () => PENDING_AFTER_MS - STEP_MS };

const NAMED: Record<Exclude<PaymentSimulation, FailureCode>, readonly Step[]> = {
  auto_settle: [settled()],
  requires_investigation: [investigated()],
  investigate_and_settle: [investigated(), settled()],
  investigate_and_fail: [investigated(), failed('UKNWN')],
  insufficient_funds: [failed('AM04')],
  creditor_account_type_not_supported: [failed('AC14')],
  creditor_account_closed: [failed('AC07')],
  debtor_account_closed: [failed('AC05')],
  financial_infrastructure_unavailable: [failed('FF10')],
  debtor_alias_not_found: [failed('ZPUNP07')],
  creditor_alias_not_found: [failed('ZPUNP08')],
  alias_resolution_service_unavailable: [failed('ZPUNP06')],
  pending_then_settle: [PENDING, settled(whilePending)],
  pending_then_fail: [PENDING, failed('TM01', whilePending)],
  pending_then_investigate: [PENDING, investigated(whilePending)],
};

const isFailureCode = (simulate: PaymentSimulation): simulate is FailureCode =>
  FAILURE_CODES.some((code) => code === simulate);

/** What comes after the state it is in, or undefined at the end of its course. */
export function nextStep(state: PaymentState, { simulate }: PaymentScript): Step | undefined {
  const steps = isFailureCode(simulate) ? [failed(simulate)] : NAMED[simulate];
  return steps[steps.findIndex(({ to }) => to === state) + 1];
}
