// What the provider keeps: agreements, payments, events and how they are scripted.
// Schemas, not only types, because a saved store is read back through them. No behaviour here.
import { z } from 'zod';

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

export const PaymentState = z.enum([
  'created',
  'submitting',
  'pending',
  'under_investigation',
  'settled',
  'failed',
]);
export type PaymentState = z.output<typeof PaymentState>;

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

/** Seconds on the sandbox's own clock. */
export const DelaySeconds = z.int().min(0).max(86_400);

export const PayerScript = z.object({ simulate: PayerSimulation, delay: DelaySeconds });
export type PayerScript = z.output<typeof PayerScript>;

export const PaymentScript = z.object({ simulate: PaymentSimulation, delay: DelaySeconds });
export type PaymentScript = z.output<typeof PaymentScript>;

export const AccountIdentifier = z.object({ type: z.string(), value: z.string() });
export type AccountIdentifier = z.output<typeof AccountIdentifier>;

export const Party = z.object({
  party_name: z.string(),
  ultimate_party_name: z.string().nullable(),
  account_identifier: AccountIdentifier,
  payment_account_uid: z.string().nullable(),
});
export type Party = z.output<typeof Party>;

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

export const Metadata = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
export type Metadata = z.output<typeof Metadata>;

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

export const ResourceType = z.enum(['payto_agreement', 'payto_payment']);
export type ResourceType = z.output<typeof ResourceType>;

export const EventBody = z.record(z.string(), z.unknown()).nullable();
export type EventBody = z.output<typeof EventBody>;

/** One published event: a webhook's `data` and a history entry are both made of it. */
export const PublishedEvent = z.object({
  id: z.string(),
  type: z.string(),
  resource_type: ResourceType,
  resource_uid: z.string(),
  /** The agreement itself, or the one a payment belongs to. */
  agreement_uid: z.string(),
  published_at: z.string(),
  body: EventBody,
  metadata: Metadata.nullable(),
});
export type PublishedEvent = z.output<typeof PublishedEvent>;
