// The rules for retrying a failed payment, in the order of the checks (docs/provider.md#errors, #payments-retry, #limits).
import { findAgreement } from '../agreements/states.js';
import { lastPaymentMade } from '../agreements/rules.js';
import type { Engine } from '../engine/parts.js';
import { refuseByCode, enforce, type Rule } from '../http/refusal.js';
import type { Agreement } from '../store/agreement.schema.js';
import type { Store } from '../store/document.js';
import type { Payment } from '../store/payment.schema.js';
import { sydneyDay } from '../time/sydney.js';
import { isUsedUp, periodUse } from './periods.js';
import type { RequestedCreditor } from './request.js';
import { checkCreditor } from './rules.js';

// How much of a payment can still be refunded. All refunds count except failed ones.

/** Cents; 0 for an unknown payment. */
export function refundableCents(
  { payments, refunds }: Pick<Store, 'payments' | 'refunds'>,
  paymentUid: string,
): number {
  const given = [...refunds.values()].filter(
    ({ original_payment_uid, state }) => original_payment_uid === paymentUid && state !== 'failed',
  );
  const paid = payments.get(paymentUid)?.amount ?? 0;
  return given.reduce((left, { refund_payment }) => left - refund_payment.amount, paid);
}

const MOST_RETRIES = 10;
/** Includes the first submission. */
const MOST_SUBMISSIONS_IN_A_DAY = 5;
const DAY_MS = 24 * 60 * 60_000;

interface RetryCase {
  payment: Payment;
  agreement: Agreement;
  /** All payments of the agreement. This one has failed, so it uses up nothing. */
  payments: readonly Payment[];
  /** If this payment pays a refund: how much of the original payment can still be refunded, in cents. Otherwise undefined. */
  refundable: number | undefined;
  nowMs: number;
}

/** Our choice: a rule of new payments that breaks at a retry is ZPPRY00, because retries have no code for it. */
const RULES: readonly Rule<RetryCase>[] = [
  {
    code: 'ZPPRY00',
    broken: ({ payment: { state } }) => state !== 'failed',
  },
  {
    code: 'ZPPRY00',
    broken: ({ payment: { failure } }) => failure?.retryable !== true,
  },
  {
    code: 'ZPPRY01',
    broken: ({ payment: { submissions } }) => submissions.length > MOST_RETRIES,
  },
  {
    code: 'ZPPRY02',
    broken: ({ agreement: { validity_end_date: end }, nowMs }) => isPast(end, nowMs),
  },
  {
    code: 'ZPPRY00',
    broken: ({ agreement: { state } }) => state !== 'active',
  },
  {
    code: 'ZPPRY04',
    broken: (it) => {
      const nextMs = nextAllowed(it);
      const end = it.agreement.validity_end_date;
      const isTooLate = nextMs !== undefined && isPast(end, nextMs);
      return isTooLate;
    },
  },
  {
    code: 'ZPPRY03',
    text: (it) => {
      const nextMs = nextAllowed(it);
      return nextMs === undefined ? undefined : tooOftenUntil(nextMs);
    },
  },
  {
    code: 'ZPPRY00',
    broken: ({ payment, agreement, payments }) =>
      isUsedUp(periodUse(agreement, payments, sydneyDay(Date.parse(payment.created_at)))),
  },
  {
    code: 'ZPPRY00',
    broken: ({ agreement, payments }) => lastPaymentMade(payments, agreement.uid),
  },
  {
    code: 'ZPREF06',
    broken: ({ payment: { amount }, refundable }) => refundable !== undefined && amount > refundable,
  },
];

const isPast = (end: string | null, atMs: number): boolean => end !== null && sydneyDay(atMs) > end;

function tooOftenUntil(nextMs: number): string {
  const from = new Date(nextMs).toISOString();
  return `Payment has been retried too many times recently. Cannot be retried again until ${from}`;
}

/** When the fifth latest submission will be a day old. Undefined if a retry is allowed now. */
function nextAllowed({ payment: { submissions }, nowMs }: RetryCase): number | undefined {
  const oldest = submissions.at(-MOST_SUBMISSIONS_IN_A_DAY);
  if (oldest === undefined || oldest + DAY_MS <= nowMs) return undefined;
  return oldest + DAY_MS;
}

/** @throws Refusal 422 with the code of the first broken rule, 404 if the agreement no longer exists. */
export function checkRetry(
  engine: Engine,
  payment: Payment,
  creditor: RequestedCreditor | null | undefined,
): void {
  const it = retryCase(engine, payment);
  enforce(RULES, it, payment.uid);
  if (creditor == null) return;
  if (payment.source_refund_uid !== null) {
    throw refuseByCode('ZPPRY05', payment.uid);
  }
  checkCreditor({ creditor, agreement: it.agreement }, payment.uid);
}

function retryCase(engine: Engine, payment: Payment): RetryCase {
  const { payments, refunds } = engine.store;
  const source = refunds.get(payment.source_refund_uid ?? '');
  return {
    payment,
    agreement: findAgreement(engine, payment.agreement_uid),
    payments: [...payments.values()].filter(({ agreement_uid: uid }) => uid === payment.agreement_uid),
    refundable: source && refundableCents(engine.store, source.original_payment_uid),
    nowMs: engine.clock.now(),
  };
}
