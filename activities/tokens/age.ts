// Which tokens have only just taken the place of others: to renew such a one again would help no call.
import type { Token } from './current.js';

/**
 * A provider that refuses every token costs one renewal in this time, however many ask and in however many processes; and one
 * more for each process that is new to the connection.
 */
const YOUNG_MS = 60_000;
/** Who has used a token within this time sees about when another takes its place. */
const WATCHED_MS = 2 * YOUNG_MS;

export interface TokenAges {
  /**
   * Takes note of a token that is about to be used. It is young where the one before it was used here a moment ago; any other is
   * of unknown age, and counts as old.
   */
  meet: (connectionId: string, token: Token) => void;
  /** For how many milliseconds yet this token is too young to be renewed; 0 for one that is not, or is followed already. */
  youngForMs: (connectionId: string, token: Token) => number;
}

/** @param now epoch milliseconds. */
export function createTokenAges(now: () => number): TokenAges {
  const met = new Map<string, { accessToken: string; sinceMs: number; usedMs: number }>();
  return {
    meet(connectionId, { accessToken }) {
      const previous = met.get(connectionId);
      const usedMs = now();
      if (previous?.accessToken === accessToken) {
        previous.usedMs = usedMs;
        return;
      }
      const isYoung = previous !== undefined && Math.abs(usedMs - previous.usedMs) < WATCHED_MS;
      met.set(connectionId, { accessToken, sinceMs: isYoung ? usedMs : -Infinity, usedMs });
    },
    youngForMs(connectionId, { accessToken }) {
      const previous = met.get(connectionId);
      if (previous?.accessToken !== accessToken) return 0;
      // Within both bounds whichever way the clock is moved meanwhile.
      return Math.min(Math.max(previous.sinceMs + YOUNG_MS - now(), 0), YOUNG_MS);
    },
  };
}
