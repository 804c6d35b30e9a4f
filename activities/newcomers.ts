// Which tokens have only just taken the place of others: to renew such a one again would help nobody.
// In:  activities/access.ts. By this process's own clock and eyes, so that no other clock need agree with it.
import type { Token } from './tokens.js';

/** A provider that refuses every token costs one renewal in this time, however many ask, and in however many processes. */
const YOUNG_MS = 60_000;

export interface Newcomers {
  /** Takes note of a token that is about to be used. The first of a connection is of unknown age, and counts as old. */
  meet: (connectionId: string, token: Token) => void;
  /** For how many milliseconds yet this token is too young to be renewed; 0 for one that is not, or is followed already. */
  youngForMs: (connectionId: string, token: Token) => number;
}

export function createNewcomers(now: () => number): Newcomers {
  const met = new Map<string, { accessToken: string; sinceMs: number }>();
  return {
    meet(connectionId, { accessToken }) {
      const known = met.get(connectionId);
      if (known?.accessToken === accessToken) return;
      met.set(connectionId, { accessToken, sinceMs: known === undefined ? -Infinity : now() });
    },
    youngForMs(connectionId, { accessToken }) {
      const known = met.get(connectionId);
      if (known?.accessToken !== accessToken) return 0;
      // Within both bounds whichever way the clock is moved meanwhile.
      return Math.min(Math.max(known.sinceMs + YOUNG_MS - now(), 0), YOUNG_MS);
    },
  };
}
