// The provider's record of an agreement, and the script of its payer. Data only.
import { z } from 'zod';
import { DelaySeconds } from '../http/wire.schema.js';
import { Explanation, PendingAction, Script } from './action.schema.js';
import { Amendment } from './amendment.schema.js';
import { Metadata, Party, tableOf } from './entities.schema.js';

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

/**
 * Two values are our own, only for the control API. `ignore`: the payer never answers. `no_answer`: the provider reports the missing
 * answer as a decline with code NOAS and not as an expiry (docs/provider.md#events).
 */
export const PayerSimulation = z.enum([...AgreementSimulation.options, 'ignore', 'no_answer']);
export type PayerSimulation = z.output<typeof PayerSimulation>;

const PayerScript = z.object({ simulate: PayerSimulation, delay: DelaySeconds });

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

/** As registered for the client (docs/provider.md#versions). A null `client_id` is the primary client. */
export const AgreementInitiator = z.object({
  name: z.string(),
  legal_name: z.string(),
  abn: z.string().nullable(),
  acn: z.string().nullable(),
  client_id: z.string().nullable(),
});
export type AgreementInitiator = z.output<typeof AgreementInitiator>;

export const Agreement = z.object({
  uid: z.string(),
  /** The provider's own id. Only the answer to a create request contains it. */
  id: z.string(),
  state: AgreementState,
  state_reason: Explanation.nullable(),
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
  initiator: AgreementInitiator,
  metadata: Metadata.nullable(),
  script: PayerScript,
  /** Requested actions without an outcome, at most one of each kind. */
  pending_actions: z.array(PendingAction),
  /** Oldest first. Only the last can be unfinished. */
  amendments: z.array(Amendment),
});
export type Agreement = z.output<typeof Agreement>;

export const AGREEMENT_TABLES = {
  agreements: tableOf(Agreement),
  payerScripts: tableOf(PayerScript),
  /** By agreement and action. An action consumes its script. */
  actionScripts: tableOf(Script),
  /** The times of create attempts in milliseconds, by debtor account, oldest first. */
  creationAttempts: tableOf(z.array(z.number())),
};

/** The scheduled tasks of an agreement; see `sandbox/tasks.ts`. */
export const AGREEMENT_TASKS = [
  'submit_agreement',
  'answer_agreement',
  'expire_agreement',
  'cancel_unresolved_agreement',
  'finish_suspension',
  'finish_cancellation',
  'finish_reactivation',
  'submit_amendment',
  'answer_amendment',
  'expire_amendment',
  'finish_recall',
] as const;
