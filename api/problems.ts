// Every way in which the API refuses: a closed list of codes, each with its status and a title that never changes.
import type { ContentfulStatusCode } from 'hono/utils/http-status';

interface Problem {
  status: ContentfulStatusCode;
  title: string;
  /** After how long a repeat may do better; repeating is always safe. */
  retryAfterSeconds?: number;
}

export const PROBLEMS = {
  malformed_json: { status: 400, title: 'The body is not JSON' },
  invalid_request: { status: 400, title: 'The request is not of the form that was expected' },
  idempotency_key_required: { status: 400, title: 'An Idempotency-Key is needed' },
  not_an_envelope: { status: 400, title: 'The body is not a notification' },
  unauthenticated: { status: 401, title: 'No valid API key' },
  webhook_signature_missing: { status: 401, title: 'The notification is not signed' },
  webhook_signature_malformed: { status: 401, title: 'The signature cannot be read' },
  webhook_signature_stale: { status: 401, title: 'The signature is too old, or from the future' },
  webhook_signature_mismatch: { status: 401, title: 'The signature does not fit' },
  insufficient_scope: { status: 403, title: 'The API key lacks a scope' },
  origin_not_allowed: { status: 403, title: 'Not from that page' },
  namespace_not_served: { status: 403, title: 'Not of that namespace' },
  not_found: { status: 404, title: 'There is no such thing' },
  method_not_allowed: { status: 405, title: 'Not with this method' },
  agreement_not_active: { status: 409, title: 'The agreement is not active' },
  agreement_held: { status: 409, title: 'The agreement is being checked' },
  agreement_final: { status: 409, title: 'The agreement is over' },
  agreement_state_forbids: { status: 409, title: 'Not in the state that the agreement is in' },
  agreement_unknown: { status: 409, title: 'The provider does not know the agreement' },
  suspended_by_payer: { status: 409, title: 'Only the payer can resume what the payer paused' },
  action_pending: { status: 409, title: 'Another command is under way' },
  no_amendment: { status: 409, title: 'There is no amendment to take back' },
  needs_reauthorisation: { status: 409, title: 'The connection has no consent' },
  consent_lacks_scope: { status: 409, title: 'The consent lacks a scope' },
  no_such_attention: { status: 409, title: 'There is no such flag' },
  payment_forgotten: { status: 410, title: 'The payment is no longer kept here' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body is not of a type that was expected' },
  idempotency_conflict: { status: 422, title: 'The same uid or key was used for something else' },
  connection_required: { status: 422, title: 'A connection must be named' },
  connection_unknown: { status: 422, title: 'There is no such connection' },
  amount_not_fixed: { status: 422, title: 'The amount is not the agreed one' },
  amount_over_maximum: { status: 422, title: 'The amount is above the agreed maximum' },
  creditor_needed: { status: 422, title: 'A creditor must be named' },
  payment_refused: { status: 422, title: 'The agreement does not admit the payment' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  provider_refused: { status: 502, title: 'The provider refused' },
  provider_unavailable: { status: 502, title: 'The provider did not tell in time', retryAfterSeconds: 5 },
  temporal_unavailable: { status: 503, title: 'Temporal cannot be reached', retryAfterSeconds: 5 },
  worker_unavailable: { status: 503, title: 'No worker is answering', retryAfterSeconds: 5 },
} as const satisfies Record<string, Problem>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One thing that is wrong with a request, and where: in the body (RFC 6901), a parameter or a header. */
export interface FieldProblem {
  pointer?: string;
  parameter?: string;
  header?: string;
  detail: string;
}

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);
