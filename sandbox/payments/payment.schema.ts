// What the provider keeps of a payment, and how its course is scripted. No behaviour here.
import { z } from 'zod';
import { DelaySeconds, Metadata, Party, tableOf } from '../entities.schema.js';
import { FAILURE_CODES } from './payment-failures.js';

export const PaymentState = z.enum([
  'created',
  'submitting',
  'pending',
  'under_investigation',
  'settled',
  'failed',
]);
export type PaymentState = z.output<typeof PaymentState>;

/** What a caller may write in a body (facts 16, with all of "the alias ones"). */
export const DocumentedPaymentSimulation = z.enum([
  'auto_settle',
  'requires_investigation',
  'investigate_and_settle',
  'investigate_and_fail',
  'insufficient_funds',
  'creditor_account_type_not_supported',
  'creditor_account_closed',
  'debtor_account_closed',
  'financial_infrastructure_unavailable',
  'debtor_alias_not_found',
  'creditor_alias_not_found',
  'alias_resolution_service_unavailable',
]);

/**
 * Those for the control routes alone are ours: nothing documented holds a payment in `pending`, and nothing
 * documented fails it with every code there is.
 */
export const PaymentSimulation = z.enum([
  ...DocumentedPaymentSimulation.options,
  'pending_then_settle',
  'pending_then_fail',
  'pending_then_investigate',
  ...FAILURE_CODES,
]);
export type PaymentSimulation = z.output<typeof PaymentSimulation>;

export const PaymentScript = z.object({ simulate: PaymentSimulation, delay: DelaySeconds });
export type PaymentScript = z.output<typeof PaymentScript>;

/** What a manual resolution can come to. */
export const PaymentOutcome = z.enum(['settled', 'failed']);
export type PaymentOutcome = z.output<typeof PaymentOutcome>;

export const PaymentFailure = z.object({
  code: z.string(),
  title: z.string(),
  detail: z.string(),
  retryable: z.boolean(),
});
export type PaymentFailure = z.output<typeof PaymentFailure>;

export const Payment = z.object({
  uid: z.string(),
  agreement_uid: z.string(),
  /** The refund that this payment pays, if it does. */
  source_refund_uid: z.string().nullable(),
  state: PaymentState,
  amount: z.int(),
  last_payment: z.boolean().nullable(),
  priority: z.string(),
  reference: z.string().nullable(),
  description: z.string().nullable(),
  creditor: Party,
  creditor_reference: z.string().nullable(),
  debtor: Party,
  failure: PaymentFailure.nullable(),
  created_at: z.string(),
  metadata: Metadata.nullable(),
  script: PaymentScript,
  /** When it was submitted, the first time and each time it was tried again; milliseconds. */
  submissions: z.array(z.number()),
  /** When the next step of its course comes due; what was planned for another time no longer holds. */
  next_step_at: z.number().nullable(),
});
export type Payment = z.output<typeof Payment>;

export const PAYMENT_TABLES = {
  payments: tableOf(Payment),
  paymentScripts: tableOf(PaymentScript),
  /** By agreement: how many of its collections have failed in a row. */
  failuresInARow: tableOf(z.int()),
};

/** What time brings to a payment; `time/tasks.ts` says what each does. */
export const PAYMENT_TASKS = ['submit_payment', 'progress_payment'] as const;

export const PAYMENT_CALLS = ['create_payment', 'get_payment', 'list_payments', 'retry_payment'] as const;
