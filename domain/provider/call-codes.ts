// Why a call failed, as the codes that programs match: the provider's client throws some, activities add theirs, workflows read both. Pure.

/** Why a call to the provider failed. Callers match this, never the message. */
export const PAYMENTS_API_ERROR_CODES = [
  'rejected', // the provider (or our own check before sending) said no; asking again will not help
  'unauthorised', // 401: our token was refused; a newer one may work
  'forbidden', // 403: a scope or a service is missing, or something in between refuses for a while; no refresh will help
  'not_found', // 404: the provider knows no such thing (yet)
  'conflict', // 409: version below the account's minimum, or a reused key
  'rate_limited', // 429: not done; ask again later
  'unavailable', // 5xx, connection lost, no answer in time: for a write the outcome is unknown
  'malformed', // an answer came that cannot be understood: for a write the outcome is unknown
  'grant_refused', // OAuth invalid_grant: the code or refresh token is used up or revoked
  'client_refused', // OAuth invalid_client or unauthorized_client: our own credentials are wrong
] as const;
export type PaymentsApiErrorCode = (typeof PAYMENTS_API_ERROR_CODES)[number];

/** Why a workflow's call failed for good. */
export const CALL_CODES = [
  ...PAYMENTS_API_ERROR_CODES,
  'queued', // our own rate limit had no room: nothing was sent
  'late', // what allowed the payment is old, or its last moment has passed: nothing was sent
  'stopped', // a stop of payments is in force, or it cannot be read whether one is: nothing was sent
  'withdrawn', // taken back before the call was made
  'not_marked', // Temporal did not take it in that the call begins, so it was not made
  'needs_reauthorisation', // the connection has no consent
  'token_not_read', // the connection did not answer in time
  'token_not_renewed', // there is no newer token yet
  'SealError', // what is sealed cannot be opened with our keys
  'nothing_new', // asked to the end of the time given, and there was nothing
  'consents_missing', // nothing, and connections without consent could not be asked
  'not_everyone_asked', // nothing, and not even those with consent could all be asked
  'unanswered', // anything else: it is not known what came of it
] as const;
export type CallCode = (typeof CALL_CODES)[number];

/** What an activity's failure says of itself; a word that is none of these says nothing of the outcome. */
export const callCodeOf = (type: string | null | undefined): CallCode =>
  CALL_CODES.find((code) => code === type) ?? 'unanswered';
