// The codes of failed calls. The provider's client throws some, activities add others, and workflows read all of them. Pure.

/** Why a call to the provider failed. Callers match the code, never the message. */
const PAYMENTS_API_ERROR_CODES = [
  'rejected', // The provider, or our own check before sending, refused the request. A retry will not help.
  'unauthorised', // 401: the provider refused our token. A newer one may work.
  'forbidden', // 403: a scope or service is missing, or the cause is unknown and may be temporary. A refresh will not help.
  'not_found', // 404: the provider does not know the resource, or not yet.
  'conflict', // 409: the API version is below the account's minimum, or a key was reused.
  'rate_limited', // 429: the request had no effect. Retry later.
  'unavailable', // 5xx, connection lost, or timeout. The outcome of a write is unknown.
  'malformed', // The answer cannot be parsed. The outcome of a write is unknown.
  'grant_refused', // OAuth invalid_grant: the code or refresh token is used up or revoked.
  'client_refused', // OAuth invalid_client or unauthorized_client: our own credentials are wrong.
] as const;
export type PaymentsApiErrorCode = (typeof PAYMENTS_API_ERROR_CODES)[number];

/** Why a workflow's call failed permanently. */
const CALL_CODES = [
  ...PAYMENTS_API_ERROR_CODES,
  'queued', // Our own rate limit had no capacity, so nothing was sent.
  'late', // The judgement of the payment is too old, or its deadline has passed, so nothing was sent.
  'stopped', // Payments are stopped, or we cannot read whether they are, so nothing was sent.
  'withdrawn', // The workflow cancelled the call. A submission was not sent.
  'not_marked', // Temporal did not record the start of the call, so the call was not made.
  'needs_reauthorisation', // The connection has no consent.
  'token_not_read', // The connection did not answer in time.
  'token_not_refreshed', // No newer token exists yet.
  'SealError', // Our keys cannot open the sealed value.
  'nothing_new', // Polling reached its time limit without news.
  'consents_missing', // Not found, but connections without consent could not be searched.
  'not_everyone_asked', // Not found, but not all connections with consent could be searched.
  'unanswered', // Any other failure: the outcome is unknown.
] as const;
export type CallCode = (typeof CALL_CODES)[number];

/** The code in an activity's failure. Any other type means that the outcome is unknown. */
export const callCodeOf = (type: string | null | undefined): CallCode =>
  CALL_CODES.find((code) => code === type) ?? 'unanswered';
