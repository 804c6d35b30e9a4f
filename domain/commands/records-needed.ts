// What only the records can decide, because a run has dropped it.

/** What they have of a request: nothing, or the first request, under its uid or its key. */
export type RecordedBefore = 'nothing' | 'uid' | 'key';

/** Why a request is refused whose uid or key its run may have dropped. It may be repeated. */
export const RECORDS_NEEDED = {
  code: 'records_unavailable',
  detail:
    'Whether this was requested before is only in the records, and they did not answer. Nothing was sent. Repeat the request later.',
} as const;
