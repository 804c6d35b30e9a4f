// What the provider keeps of an agreement, and how its payer is scripted. No behaviour here.
import { z } from 'zod';
import { DelaySeconds, Metadata, Party, tableOf } from '../entities.schema.js';

export const AgreementState = z.enum([
  'pending',
  'created',
  'active',
  'suspended',
  'declined',
  'expired',
  'cancelled',
  'failed',
]);
export type AgreementState = z.output<typeof AgreementState>;

export const AgreementSimulation = z.enum([
  'debtor_accept',
  'debtor_decline',
  'expire',
  'debtor_account_type_not_supported',
  'debtor_alias_not_found',
  'creditor_alias_not_found',
  'alias_resolution_service_unavailable',
  'agreement_service_unavailable',
]);

/** `ignore` is ours, for the control routes alone: the payer never answers. */
export const PayerSimulation = z.enum([...AgreementSimulation.options, 'ignore']);
export type PayerSimulation = z.output<typeof PayerSimulation>;

export const PayerScript = z.object({ simulate: PayerSimulation, delay: DelaySeconds });
export type PayerScript = z.output<typeof PayerScript>;

export const PaymentTerms = z.object({
  type: z.string(),
  frequency: z.string(),
  count: z.int().nullable(),
  max_amount: z.int().nullable(),
  amount: z.int().nullable(),
  first_payment_amount: z.int().nullable(),
  last_payment_amount: z.int().nullable(),
  first_payment_date: z.string().nullable(),
  last_payment_date: z.string().nullable(),
});
export type PaymentTerms = z.output<typeof PaymentTerms>;

export const Agreement = z.object({
  uid: z.string(),
  /** The provider's own id; the create answer carries it beside the caller's uid. */
  id: z.string(),
  state: AgreementState,
  state_reason: z.string().nullable(),
  state_caused_by: z.string(),
  mms_agreement_id: z.string().nullable(),
  created_at: z.string(),
  purpose: z.string(),
  description: z.string(),
  resolution_requested_before: z.string(),
  cancel_if_unresolved: z.boolean().nullable(),
  validity_start_date: z.string().nullable(),
  validity_end_date: z.string().nullable(),
  payment_terms: PaymentTerms,
  debtor: Party,
  creditor: Party.nullable(),
  initiator: z.object({
    name: z.string(),
    legal_name: z.string(),
    abn: z.string(),
    acn: z.string(),
    client_id: z.string().nullable(),
  }),
  metadata: Metadata.nullable(),
  script: PayerScript,
});
export type Agreement = z.output<typeof Agreement>;

export const AGREEMENT_TABLES = { agreements: tableOf(Agreement), payerScripts: tableOf(PayerScript) };

/** What time brings to an agreement; `time/tasks.ts` says what each does. */
export const AGREEMENT_TASKS = [
  'submit_agreement',
  'answer_agreement',
  'expire_agreement',
  'cancel_unresolved_agreement',
] as const;

export const AGREEMENT_CALLS = [
  'create_agreement',
  'get_agreement',
  'list_agreements',
  'agreement_history',
] as const;
