// What payments and refunds share of their admission: it comes before the workflow that carries out what was admitted.

/** Far below any time for which Temporal keeps closed workflows. */
const STARTED_WITHIN_MS = 600_000;

/** Whether what was admitted then may have no workflow because that is still being started, and not because it is no longer kept. */
export const isJustAdmitted = (requestedAt: string): boolean =>
  Date.now() - Date.parse(requestedAt) < STARTED_WITHIN_MS;
