// What payments and refunds share of their admission: it comes before the workflow that carries out what was admitted.

/** Far below any time for which Temporal keeps closed workflows. */
const STARTED_WITHIN_MS = 600_000;

/** Whether what was admitted then may have no workflow because that is still being started, and not because it is no longer kept. */
export const isJustAdmitted = (requestedAt: string | undefined): boolean =>
  isAdmittedSince(requestedAt, Date.now() - STARTED_WITHIN_MS);

/**
 * Whether it was admitted after a request began. Temporal answers repeats under one update id alike, so that only the time says whether it
 * was this request. Where clocks differ a little, its workflow is asked in vain, or a repeat gets the first answer.
 */
export const isAdmittedSince = (requestedAt: string | undefined, sinceMs: number): boolean =>
  requestedAt !== undefined && Date.parse(requestedAt) >= sinceMs;
