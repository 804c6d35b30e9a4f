import { FIRST_AMOUNT } from './provider.js';
import type { ActionKind, ActionCommand } from '../../domain/agreement/action.js';
import type { Day } from '../../domain/time/calendar.js';
import type { Mandate, PaymentOrder, PaymentTerms } from '../../domain/agreement/mandate.js';
import type { OnHoliday, OnMissed, PlanRequest } from '../../domain/agreement/plan.js';
import type { RefundOrder } from '../../domain/refund/request.schema.js';

export const AGREEMENT_UID = 'agr-life';
export const CONNECTION_ID = 'acme';
export const BEGIN_MS = Date.UTC(2026, 9, 1, 3);
export const AMOUNT = 4200;
export const MANDATE = {
  description: 'Plan 77',
  creditor: { party_name: 'Shop' },
  payment_terms: { max_amount: FIRST_AMOUNT },
};
export const ORDER: PaymentOrder = { agreement_uid: AGREEMENT_UID, amount: AMOUNT, priority: 'unattended' };
/** Under balloon terms, each payment of a life is requested as the last one. */
export const orderUnder = (terms: PaymentTerms | undefined): PaymentOrder =>
  terms?.type === 'balloon' ? { ...ORDER, last_payment: true } : ORDER;
export const ORDER_OF_ANOTHER: PaymentOrder = { ...ORDER, agreement_uid: 'agr-other', amount: AMOUNT / 2 };

export const planOf = (
  days: readonly Day[],
  onMissed: OnMissed = 'catch_up_one',
  onHoliday: OnHoliday = 'same',
): PlanRequest => {
  const { amount, ...order } = ORDER;
  return {
    schedule: { dates: days.map((date) => ({ date, amount })) },
    onMissed,
    onHoliday,
    order,
    uidBase: 'pay-planned',
    by: 'ops',
  };
};

export const refundOf = (original_payment_uid: string): RefundOrder => ({
  original_payment_uid,
  refund_payment: {
    type: 'float_bank_payment',
    float_bank_account_id: 'float',
    amount: AMOUNT / 3,
    description: 'Back',
  },
});

export const PAYING: ReadonlySet<string | undefined> = new Set(['submitPayment', 'retryPayment']);

export const HABITS = {
  registersInMs: 20,
  registration: 'done',
  refusesCreation: false,
  expiresAfterDays: 5,
  cancelsUnanswered: true,
  publishesEnds: true,
  showsCreatedAt: true,
  carriesOutInMs: 1000,
  publishesToMs: 1,
  historyToMs: 1,
  cancelsUnresolvedInMs: undefined,
} as const;

/** The mandate of a life, with its terms or with a maximum only. */
export const mandateOf = (terms: PaymentTerms | undefined, maxAmount = FIRST_AMOUNT): Mandate => ({
  ...MANDATE,
  payment_terms: terms?.type === 'balloon' ? terms : { ...terms, max_amount: maxAmount },
});

export const asking = (kind: ActionKind, maxAmount: number): ActionCommand => {
  if (kind === 'amendment') return { kind, body: { changes: { payment_terms: { max_amount: maxAmount } } } };
  if (kind === 'suspension' || kind === 'cancellation')
    return { kind, body: { reason: 'customer_requested', narrative: 'As requested' } };
  return { kind, body: {} };
};
