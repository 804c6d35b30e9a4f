// The closed list of problem codes, each with its HTTP status and title.
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { EventResource, ProviderResource } from '../../../domain/resources.js';

interface ProblemKind {
  status: ContentfulStatusCode;
  title: string;
  /** Seconds after which a retry may succeed. A retry is always safe. */
  retryAfterSeconds?: number;
}

/** What every command can meet: the provider does not have the resource, or it has ended. */
type ProblemOfResource = `${EventResource}_unknown` | `${ProviderResource}_final`;

export const PROBLEMS = {
  malformed_json: { status: 400, title: 'Malformed JSON' },
  invalid_request: { status: 400, title: 'Invalid request' },
  idempotency_key_required: { status: 400, title: 'Idempotency key required' },
  not_an_envelope: { status: 400, title: 'Not a notification' },
  unauthenticated: { status: 401, title: 'Unauthenticated' },
  webhook_signature_missing: { status: 401, title: 'Webhook signature missing' },
  webhook_signature_malformed: { status: 401, title: 'Webhook signature malformed' },
  webhook_signature_mismatch: { status: 401, title: 'Webhook signature mismatch' },
  insufficient_scope: { status: 403, title: 'Insufficient scope' },
  origin_not_allowed: { status: 403, title: 'Origin not allowed' },
  host_not_allowed: { status: 403, title: 'Host not allowed' },
  namespace_not_served: { status: 403, title: 'Namespace not served' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  agreement_not_active: { status: 409, title: 'Agreement not active' },
  agreement_held: { status: 409, title: 'Agreement under review' },
  agreement_final: { status: 409, title: 'Agreement has ended' },
  agreement_state_forbids: { status: 409, title: 'Not allowed in this agreement state' },
  agreement_unknown: { status: 409, title: 'Agreement unknown to the provider' },
  payment_unknown: { status: 409, title: 'Payment unknown to the provider' },
  refund_unknown: { status: 409, title: 'Refund unknown to the provider' },
  client_not_registered: { status: 409, title: 'Client not registered' },
  business_already_registered: { status: 409, title: 'Business already registered' },
  client_final: { status: 409, title: 'Client has ended' },
  counterparty_final: { status: 409, title: 'Counterparty has ended' },
  counterparty_sent: { status: 409, title: 'Counterparty already sent to the provider' },
  close_match_needed: { status: 409, title: 'Not a close match' },
  no_such_payment_account: { status: 422, title: 'Unknown payment account' },
  change_pending: { status: 409, title: 'Change pending', retryAfterSeconds: 5 },
  onboarding_over: { status: 409, title: 'Onboarding has ended' },
  step_not_stopped: { status: 409, title: 'Step is not stopped' },
  other_step_stopped: { status: 409, title: 'Another step is stopped' },
  own_route_only: { status: 409, title: 'Use the resource’s own route' },
  step_not_skippable: { status: 409, title: 'Step cannot be skipped' },
  float_account_blocked: { status: 409, title: 'Float account cannot be read' },
  credit_resolved: { status: 409, title: 'Credit already resolved' },
  credit_unconfirmed: { status: 409, title: 'Credit not confirmed' },
  no_such_match: { status: 422, title: 'Nothing to match' },
  stop_of_another: { status: 409, title: 'Stop of another principal' },
  other_account: { status: 409, title: 'Different account' },
  nothing_to_confirm: { status: 409, title: 'Nothing to confirm' },
  approval_required: { status: 403, title: 'Approval required' },
  approval_given: { status: 403, title: 'Approval given' },
  approval_unknown: { status: 409, title: 'Unknown approval' },
  approval_of_requester: { status: 409, title: 'Approval by the requester' },
  approval_differs: { status: 409, title: 'Approval of another request' },
  approval_used: { status: 409, title: 'Approval already used' },
  refund_final: { status: 409, title: 'Refund has ended' },
  payment_not_settled: { status: 409, title: 'Payment not settled' },
  suspended_by_payer: { status: 409, title: 'Suspended by the payer' },
  action_pending: { status: 409, title: 'Action pending' },
  no_amendment: { status: 409, title: 'No pending amendment' },
  identified_before: { status: 409, title: 'Agreement already identified' },
  needs_reauthorisation: { status: 409, title: 'Reauthorisation required' },
  consent_lacks_scope: { status: 409, title: 'Missing scope in the consent' },
  decision_needed: { status: 422, title: 'Decision required' },
  no_such_attention: { status: 409, title: 'Attention flag not raised' },
  gone: { status: 410, title: 'No longer stored' },
  events_expired: { status: 410, title: 'Events expired' },
  too_many_endpoints: { status: 409, title: 'Too many webhook endpoints' },
  webhook_url_refused: { status: 422, title: 'Webhook URL refused' },
  types_not_received: { status: 422, title: 'Event types not received' },
  replay_unfinished: { status: 409, title: 'Replay not finished' },
  payment_submitted: { status: 409, title: 'Payment already submitted' },
  payment_not_failed: { status: 409, title: 'Payment has not failed' },
  payment_not_retryable: { status: 409, title: 'Payment not retryable' },
  retries_used_up: { status: 409, title: 'Retry limit reached' },
  retry_too_soon: { status: 409, title: 'Too early to retry' },
  batch_over: { status: 409, title: 'Batch has ended' },
  payment_final: { status: 409, title: 'Payment has ended' },
  body_too_large: { status: 413, title: 'Request body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  idempotency_conflict: { status: 422, title: 'Idempotency conflict' },
  connection_required: { status: 422, title: 'Connection required' },
  connection_unknown: { status: 422, title: 'Unknown connection' },
  too_many_failures: { status: 422, title: 'Too many consecutive failures' },
  too_many_in_flight: { status: 422, title: 'Too many payments in flight' },
  before_validity: { status: 422, title: 'Before the start of validity' },
  after_validity: { status: 422, title: 'After the end of validity' },
  before_first_payment_date: { status: 422, title: 'Before the first payment date' },
  after_last_payment_date: { status: 422, title: 'After the last payment date' },
  last_payment_needed: { status: 422, title: 'last_payment required' },
  last_payment_not_allowed: { status: 422, title: 'last_payment not allowed' },
  last_payment_made: { status: 422, title: 'Last payment already made' },
  too_many_in_period: { status: 422, title: 'Too many payments in the period' },
  plan_date_past: { status: 422, title: 'Planned date in the past' },
  plan_empty: { status: 422, title: 'Plan has no dates' },
  amount_not_fixed: { status: 422, title: 'Amount differs from the fixed amount' },
  amount_over_maximum: { status: 422, title: 'Amount exceeds the maximum' },
  creditor_needed: { status: 422, title: 'Creditor required' },
  submit_before_out_of_range: { status: 422, title: 'Submission deadline out of range' },
  client_not_active: { status: 422, title: 'Client not active' },
  parent_not_allowed: { status: 422, title: 'Parent not allowed' },
  refund_over_payment: { status: 422, title: 'Refunds exceed the payment' },
  too_many_refunds: { status: 422, title: 'Too many refunds' },
  refund_refused: { status: 422, title: 'Refund refused' },
  payment_refused: { status: 422, title: 'Payment refused' },
  provider_would_refuse: { status: 422, title: 'Provider would refuse the request' },
  too_many_requests: { status: 429, title: 'Too many requests', retryAfterSeconds: 2 },
  internal: { status: 500, title: 'Internal server error' },
  provider_refused: { status: 502, title: 'Provider refused the request' },
  provider_unavailable: { status: 502, title: 'Provider unavailable', retryAfterSeconds: 5 },
  temporal_unavailable: { status: 503, title: 'Temporal unavailable', retryAfterSeconds: 5 },
  records_unavailable: { status: 503, title: 'Records unavailable', retryAfterSeconds: 5 },
  workflow_paused: { status: 503, title: 'Workflow paused', retryAfterSeconds: 5 },
  worker_unavailable: { status: 503, title: 'Worker unavailable', retryAfterSeconds: 5 },
} as const satisfies Record<string, ProblemKind> & Record<ProblemOfResource, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One fault of a request and its place: a JSON pointer into the body (RFC 6901), a parameter or a header. */
export interface FieldProblem {
  pointer?: string;
  parameter?: string;
  header?: string;
  detail: string;
}

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);
