// Refuses batches while the database does not answer, so that workflow tasks need not wait for it. One slow statement does not count.

/** This many groups in a row without an answer mean that the database is away. */
const AWAY_AFTER = 2;
/** While it is away, one batch is tried this often. */
const TRY_EVERY_MS = 5000;

/** The database did not answer a moment ago, so it was not tried. */
export class RecordsAway extends Error {
  constructor() {
    super('the database did not answer a moment ago');
    this.name = 'RecordsAway';
  }
}

export interface Guard {
  /** Called for each batch. @throws RecordsAway if it is not to be tried. */
  admit: () => void;
  /** Stores a group, and notes whether the database answers. */
  attempt: <Answer>(store: () => Promise<Answer>) => Promise<Answer>;
}

interface Watched {
  now: () => number;
  /** An attempt got no answer. @param isAway whether batches are refused from now on. */
  onFailure: (error: unknown, isAway: boolean) => void;
  /** It answers again after it was away. */
  onBack: () => void;
}

export function watchDatabase({ now, onFailure, onBack }: Watched): Guard {
  let failures = 0;
  let tryAtMs = 0;
  return {
    admit: () => {
      if (failures < AWAY_AFTER) return;
      if (now() < tryAtMs) throw new RecordsAway();
      tryAtMs = now() + TRY_EVERY_MS;
    },
    attempt: async (store) => {
      try {
        const answer = await store();
        if (failures >= AWAY_AFTER) onBack();
        failures = 0;
        return answer;
      } catch (error) {
        failures += 1;
        tryAtMs = now() + TRY_EVERY_MS;
        onFailure(error, failures === AWAY_AFTER);
        throw error;
      }
    },
  };
}

/** For commands and tests: everything is tried. */
export const UNGUARDED: Guard = {
  admit: () => undefined,
  attempt: (store) => store(),
};
