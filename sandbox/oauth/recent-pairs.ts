// The token pairs that refreshes have just brought, in clear and for a short while: a server with grace answers them again.
// Never saved: over a restart there is no grace.
const LONGEST_GRACE_MS = 300_000;

export interface TokenPair {
  access_token: string;
  refresh_token: string;
}

interface RecentPair {
  tokens: TokenPair;
  atMs: number;
}

export interface RecentPairs {
  /** @param spent the hash of the refresh token that brought them. */
  keep(spent: string, pair: RecentPair): void;
  find(spent: string, graceMs: number, nowMs: number): RecentPair | undefined;
}

export function createRecentPairs(): RecentPairs {
  const pairs = new Map<string, RecentPair>();
  return {
    keep(spent, pair) {
      for (const [old, { atMs }] of pairs) if (atMs + LONGEST_GRACE_MS < pair.atMs) pairs.delete(old);
      pairs.set(spent, pair);
    },
    find(spent, graceMs, nowMs) {
      const pair = pairs.get(spent);
      return pair !== undefined && nowMs < pair.atMs + graceMs ? pair : undefined;
    },
  };
}
