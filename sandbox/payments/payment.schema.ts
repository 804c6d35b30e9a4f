// What the provider keeps of a payment, and how its course is scripted. No behaviour here.
import { z } from 'zod';
import { DelaySeconds, Metadata, Party, tableOf } from '../entities.schema.js';

export const PaymentState = z.enum([
  'created',
  'submitting',
  'pending',
  'under_investigation',
  'settled',
  'failed',
]);
export type PaymentState = z.output<typeof PaymentState>;

export const PaymentSimulation = z.enum([
  'auto_settle',
  'requires_investigation',
  'investigate_and_settle',
  'investigate_and_fail',
  'insufficient_funds',
  'creditor_account_type_not_supported',
  'creditor_account_closed',
  'debtor_account_closed',
  'financial_infrastructure_unavailable',
  'creditor_alias_not_found',
  'alias_resolution_service_unavailable',
]);
export type PaymentSimulation = z.output<typeof PaymentSimulation>;

export const PaymentScript = z.object({ simulate: PaymentSimulation, delay: DelaySeconds });
export type PaymentScript = z.output<typeof PaymentScript>;

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
});
export type Payment = z.output<typeof Payment>;

export const PAYMENT_TABLES = { payments: tableOf(Payment), paymentScripts: tableOf(PaymentScript) };

/** What time brings to a payment; `time/tasks.ts` says what each does. */
export const PAYMENT_TASKS = ['submit_payment', 'progress_payment'] as const;

export const PAYMENT_CALLS = ['create_payment', 'get_payment'] as const;
