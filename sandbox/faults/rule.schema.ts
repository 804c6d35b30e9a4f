// One rule for what shall go wrong, as it is kept, and the calls that a rule can be about. No behaviour here.
import { z } from 'zod';
import { FaultAction, FaultParameters } from './actions.schema.js';

/** The calls of the API, as the ledger names them. */
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

/** `*` is every call of the API; the authorisation server and webhooks are meant by their names alone. */
export const FaultPlace = z.enum([...API_CALLS, '*', 'token', 'webhook']);
export type FaultPlace = z.output<typeof FaultPlace>;

export const Fault = z.object({
  id: z.string(),
  /** Counted from 1 since the faults were last cleared: with the seed it decides which calls a share meets. */
  number: z.int(),
  on: FaultPlace,
  do: FaultAction,
  /** How often it still happens; null until it is removed. */
  times: z.int().nullable(),
  /** Of the calls that fit, how many it meets: 1 is every one. */
  share: z.number(),
  /** Whose calls chance counts: all that fit, as they come, or those of each resource by themselves, whatever the others do. */
  share_by: z.enum(['order', 'resource']),
  /** How many calls have fitted so far. */
  fitted: z.int(),
  /** The same for each resource, where chance counts them by themselves. */
  fitted_by: z.record(z.string(), z.int()),
  resource_uid: z.string().nullable(),
  ...FaultParameters.shape,
});
export type Fault = z.output<typeof Fault>;
