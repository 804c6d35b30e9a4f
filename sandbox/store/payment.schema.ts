// The provider's record of a payment, its script, and its failure codes. Data only.
import { z } from 'zod';
import { DelaySeconds } from '../http/wire.schema.js';
import { Metadata, Party, tableOf } from './entities.schema.js';

// The failure codes, and whether the provider allows a retry (docs/provider.md#payments-failures).

/** The complete list. No other code is retryable. */
export const RETRYABLE_CODES = [
  'AB01',
  'AB02',
  'AB03',
  'AB04',
  'AB08',
  'AC06',
  'AG07',
  'AM04',
  'AM21',
  'FF10',
  'MD20',
  'NARR',
  'SL13',
  'SL14',
  'TD03',
  'TM01',
] as const;

const FINAL_CODES = [
  'AC02',
  'AC03',
  'AC04',
  'AC05',
  'AC07',
  'AC13',
  'AC14',
  'AG01',
  'AG03',
  'AM02',
  'AM03',
  'AM12',
  'AM14',
  'AVED',
  'BE06',
  'BVSD',
  'CUST',
  'FRAD',
  'MD01',
  'MD07',
  'MS02',
  'MS03',
  'NACT',
  'NAUT',
  'RR04',
  'UKNWN',
  'ZPPAY24',
  'ZPUNP06',
  'ZPUNP07',
  'ZPUNP08',
] as const;

export const FAILURE_CODES = [...RETRYABLE_CODES, ...FINAL_CODES] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

export const PaymentState = z.enum([
  'created',
  'submitting',
  'pending',
  'under_investigation',
  'settled',
  'failed',
]);
export type PaymentState = z.output<typeof PaymentState>;

/** The values for the `sandbox` field (docs/provider.md#provider-sandbox, including all alias values). */
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
 * The additional values are our own, only for the control API: no documented value keeps a payment in `pending`, or fails it with each
 * of the codes.
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

/** The outcomes of a manual resolution. */
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
  /** The refund that this payment pays, if any. */
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
  /** The times of the first submission and of each retry, in milliseconds. */
  submissions: z.array(z.number()),
  /** When the next step is due. Steps that were scheduled for another time are ignored. */
  next_step_at: z.number().nullable(),
});
export type Payment = z.output<typeof Payment>;

export const PAYMENT_TABLES = {
  payments: tableOf(Payment),
  paymentScripts: tableOf(PaymentScript),
  /** The number of consecutive failed collections, by agreement. */
  failuresInARow: tableOf(z.int()),
};

/** The scheduled tasks of a payment; see `sandbox/tasks.ts`. */
export const PAYMENT_TASKS = ['submit_payment', 'progress_payment'] as const;
