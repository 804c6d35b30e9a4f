// Caches access tokens of this process, in plain text and only in memory.
import { accessContext } from '../../sealing/contexts.js';
import { open, type Keyring } from '../../sealing/keyring.js';
import { needsReauthorisation } from '../failure.js';
import type { AccessGrant } from '../../workflows/connection/contract.js';

/** How long a cached token is used before its connection is queried again. A revocation by us takes effect within this time. */
const TRUSTED_MS = 60_000;
/** How long a cached token is used without another query after a failed one. During an outage each query may take long. */
const UNASKED_MS = 10_000;

export interface Token {
  generation: number;
  accessToken: string;
  refreshAtMs: number;
  expiresAtMs: number;
}

export interface TokenCache {
  /**
   * Stores the answer of a connection.
   * @param spent the generation that the answer must follow, if a refresh was requested.
   * @throws ApplicationFailure `needs_reauthorisation` if there is no usable token; SealError
   */
  keep: (connectionId: string, grant: AccessGrant, spent?: number) => Token;
  /** Records that the token could not be confirmed. */
  miss: (connectionId: string) => void;
  /** Returns the cached token, whether it was confirmed recently, and whether its confirmation has just failed. */
  find: (connectionId: string) => Found | undefined;
}

export interface Found {
  token: Token;
  isRecent: boolean;
  isMissed: boolean;
}

interface Cached {
  token: Token;
  sealedAccess: string | undefined;
  readAtMs: number;
  missedAtMs?: number;
}

/** @param now epoch milliseconds. */
export function createTokenCache(tokenKeys: Keyring, now: () => number): TokenCache {
  const cached = new Map<string, Cached>();
  // Works in both directions, because the clock may be set back.
  const isWithin = (limitMs: number, atMs: number): boolean => Math.abs(now() - atMs) < limitMs;
  return {
    keep(connectionId, grant, spent = Infinity) {
      const before = cached.get(connectionId);
      cached.delete(connectionId);
      const { sealedAccess } = grant;
      const read = tokenIn(tokenKeys, connectionId, grant);
      const fresh = read.generation > spent ? believed(read, now()) : read;
      // Each seal is unique, so it also distinguishes a token with the same generation from an earlier connection with this id.
      const token = before?.sealedAccess === sealedAccess ? (before?.token ?? fresh) : fresh;
      cached.set(connectionId, { token, sealedAccess, readAtMs: now() });
      return token;
    },
    miss(connectionId) {
      const found = cached.get(connectionId);
      if (found !== undefined) cached.set(connectionId, { ...found, missedAtMs: now() });
    },
    find(connectionId) {
      const found = cached.get(connectionId);
      if (found === undefined) return undefined;
      const { token, readAtMs, missedAtMs } = found;
      const isMissed = missedAtMs !== undefined && isWithin(UNASKED_MS, missedAtMs);
      return { token, isRecent: isWithin(TRUSTED_MS, readAtMs), isMissed };
    },
  };
}

function tokenIn(tokenKeys: Keyring, connectionId: string, grant: AccessGrant): Token {
  const { status, generation, expiresAt, refreshAt, sealedAccess } = grant;
  const isUsable = status === 'healthy' && generation !== undefined && sealedAccess !== undefined;
  if (!isUsable) throw needsReauthorisation(connectionId);
  return {
    generation,
    accessToken: open(tokenKeys, sealedAccess, accessContext(connectionId, generation)),
    refreshAtMs: Date.parse(refreshAt ?? ''),
    expiresAtMs: Date.parse(expiresAt ?? ''),
  };
}

/** If a token is due for refresh as soon as it is issued, the clocks disagree. It is then used until the provider refuses it. */
const believed = (token: Token, nowMs: number): Token =>
  nowMs < token.refreshAtMs ? token : { ...token, refreshAtMs: Infinity, expiresAtMs: Infinity };
