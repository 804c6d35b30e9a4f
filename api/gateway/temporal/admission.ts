// A payment or refund is admitted before its own workflow starts. These functions compare the time of admission with other times.

/** Far below any retention period of Temporal. */
const STARTED_WITHIN_MS = 600_000;

/** Whether the admission is so recent that a missing workflow is still starting, and not past its retention. */
export const isJustAdmitted = (requestedAt: string | undefined): boolean =>
  isAdmittedSince(requestedAt, Date.now() - STARTED_WITHIN_MS);

/**
 * Whether the admission happened after a request started. Temporal gives all repeats under one update id the same answer, so only
 * the time identifies the admitting request. Clock skew costs at most an extra query, or gives a repeat the first answer.
 */
export const isAdmittedSince = (requestedAt: string | undefined, sinceMs: number): boolean =>
  requestedAt !== undefined && Date.parse(requestedAt) >= sinceMs;
