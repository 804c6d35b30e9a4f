// What the provider keeps of a payment, how its course is scripted, and what can make it fail. No behaviour here.
import { z } from 'zod';
import { DelaySeconds } from '../http/wire.schema.js';
import { Metadata, Party, tableOf } from './entities.schema.js';

// What can make a collection fail, and whether the provider lets it be tried again (docs/provider.md#payments-failures). Data only.

/** The whole list of them: no other code is retryable. */
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

/** What a caller may write in a body (docs/provider.md#provider-sandbox, with all those about aliases). */
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

/** What time brings to a payment; `sandbox/tasks.ts` says what each does. */
export const PAYMENT_TASKS = ['submit_payment', 'progress_payment'] as const;
