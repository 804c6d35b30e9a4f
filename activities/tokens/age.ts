// Tracks which tokens are new. Refreshing a new token again would help no call.
import type { Token } from './current.js';

/**
 * If the provider refuses every token, this limits refreshes to one per this time for all callers and processes. Each process that is new
 * to the connection may cause one more.
 */
const YOUNG_MS = 60_000;
/** A process that has used the previous token within this time knows roughly when it was replaced. */
const WATCHED_MS = 2 * YOUNG_MS;

export interface TokenAges {
  /**
   * Records that a token is about to be used. A token is young if this process used the previous one recently. Any other token has an
   * unknown age and counts as old.
   */
  meet: (connectionId: string, token: Token) => void;
  /** For how many more milliseconds this token is too young to be refreshed; 0 if it is old or has been replaced. */
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
      // Stays within both bounds if the clock is changed.
      return Math.min(Math.max(previous.sinceMs + YOUNG_MS - now(), 0), YOUNG_MS);
    },
  };
}
