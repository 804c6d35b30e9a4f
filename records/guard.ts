// Stops trying a database that does not answer, so that workflow tasks need not wait for it. One slow statement does not count.

/** Decides whether a group of batches is tried. @throws RecordsAway instead if it is not. */
export type Guard = <Answer>(attempt: () => Promise<Answer>) => Promise<Answer>;

/** This many groups in a row without an answer mean that the database is away. */
const AWAY_AFTER = 2;
/** While it is away, one group is tried this often. */
const TRY_EVERY_MS = 5000;

/** The database did not answer a moment ago, so it was not tried. */
export class RecordsAway extends Error {
  constructor() {
    super('the database did not answer a moment ago');
    this.name = 'RecordsAway';
  }
}

interface Watched {
  now: () => number;
  /** An attempt got no answer. @param isAway whether attempts stop now. */
  onFailure: (error: unknown, isAway: boolean) => void;
  /** It answers again after it was away. */
  onBack: () => void;
}

/** Each group of batches is one attempt. */
export function watchDatabase({ now, onFailure, onBack }: Watched): Guard {
  let failures = 0;
  let tryAtMs = 0;
  return async (attempt) => {
    if (failures >= AWAY_AFTER) {
      if (now() < tryAtMs) throw new RecordsAway();
      tryAtMs = now() + TRY_EVERY_MS;
    }
    try {
      const answer = await attempt();
      if (failures >= AWAY_AFTER) onBack();
      failures = 0;
      return answer;
    } catch (error) {
      failures += 1;
      tryAtMs = now() + TRY_EVERY_MS;
      onFailure(error, failures === AWAY_AFTER);
      throw error;
    }
  };
}
