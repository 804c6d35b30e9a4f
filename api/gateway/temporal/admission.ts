// What payments and refunds share of their admission: it comes before the workflow that carries out what was admitted.

/** Far below any time for which Temporal keeps closed workflows. */
const STARTED_WITHIN_MS = 600_000;

/** So long after it was admitted it stands as requested: its workflow is not asked. In milliseconds, of two clocks that may differ by some. */
export const ANSWERED_WITHIN_MS = 2000;

/** Whether what was admitted then may have no workflow because that is still being started, and not because it is no longer kept. */
export const isJustAdmitted = (requestedAt: string | undefined, withinMs = STARTED_WITHIN_MS): boolean =>
  requestedAt !== undefined && Date.now() - Date.parse(requestedAt) < withinMs;
