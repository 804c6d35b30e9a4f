// A stored fault rule, and the calls that a rule can apply to. Data only.
import { z } from 'zod';
import { FaultAction, FaultParameters } from './actions.schema.js';

/** The calls of the API, by their names in the ledger. */
export const API_CALLS = [
  'create_agreement',
  'get_agreement',
  'list_agreements',
  'agreement_history',
  'suspend_agreement',
  'cancel_agreement',
  'reactivate_agreement',
  'amend_agreement',
  'get_amendment',
  'recall_amendment',
  'add_identification',
  'simulate_debtor_action',
  'create_payment',
  'get_payment',
  'list_payments',
  'retry_payment',
  'create_refund',
  'get_refund',
  'list_refunds',
  'create_client',
  'get_client',
  'list_clients',
  'update_client',
  'create_counterparty',
  'list_float_accounts',
  'get_float_account',
  'list_float_entries',
  'get_float_entry',
  'simulate_incoming_npp_payid_payment',
  'simulate_incoming_npp_bban_payment',
  'simulate_incoming_de_payment',
  'resolve_alias',
  'validate_account',
  'list_webhooks',
  'list_webhook_deliveries',
  'get_webhook_delivery',
  'redeliver_webhook',
  'download_settlement_report',
  'list_disputes',
  'get_dispute',
  'accept_action_request',
  'reject_action_request',
  'upload_evidence',
  'simulate_incoming_message',
  'ping',
  'get_user',
] as const;
export type CallName = (typeof API_CALLS)[number];

/** `*` is every call of the API. Token requests and webhooks must be named explicitly. */
export const FaultPlace = z.enum([...API_CALLS, '*', 'token', 'webhook']);
export type FaultPlace = z.output<typeof FaultPlace>;

export const Fault = z.object({
  id: z.string(),
  /** Counted from 1 since the faults were last cleared. With the seed it decides which calls are affected. */
  number: z.int(),
  on: FaultPlace,
  do: FaultAction,
  /** How many times are left; null until it is removed. */
  times: z.int().nullable(),
  /** The share of matching calls that it affects; 1 affects all. */
  share: z.number(),
  /** Draws for all matching calls in order of arrival, or separately for each resource. */
  share_by: z.enum(['order', 'resource']),
  /** The number of matching calls so far. */
  fitted: z.int(),
  /** The same for each resource, if `share_by` is `resource`. */
  fitted_by: z.record(z.string(), z.int()),
  resource_uid: z.string().nullable(),
  ...FaultParameters.shape,
});
export type Fault = z.output<typeof Fault>;
