// What a process remembers of access tokens: in clear, in memory, and nowhere else.
import { accessContext } from '../../sealing/contexts.js';
import { open } from '../../sealing/keyring.js';
import { needsReauthorisation } from '../failure.js';
import type { AccessGrant } from '../../workflows/connection/contract.js';
import type { Keyring } from '../../sealing/keyring.js';

/** How long a token is used before its connection is asked whether it still stands: a revocation of ours acts within it. */
const TRUSTED_MS = 60_000;
/** How long it is used without asking again, once its connection could not be asked: each try may take as long as an outage lets it. */
const UNASKED_MS = 10_000;

export interface Token {
  generation: number;
  accessToken: string;
  refreshAtMs: number;
  expiresAtMs: number;
}

export interface TokenCache {
  /**
   * Remembers what a connection has answered.
   * @param spent the generation that this is to follow, where a renewal was asked for.
   * @throws ApplicationFailure `needs_reauthorisation` where there is no token to be had; SealError
   */
  keep: (connectionId: string, grant: AccessGrant, spent?: number) => Token;
  /** Remembers that what is known of it could not be confirmed just now. */
  miss: (connectionId: string) => void;
  /** The token remembered: whether it stood just now, and whether it could not be asked for just now. */
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
export function createTokenCache(keyring: Keyring, now: () => number): TokenCache {
  const cached = new Map<string, Cached>();
  // In either direction: a clock may be set.
  const isWithin = (limitMs: number, atMs: number): boolean => Math.abs(now() - atMs) < limitMs;
  return {
    keep(connectionId, grant, spent = Infinity) {
      const before = cached.get(connectionId);
      cached.delete(connectionId);
      const { sealedAccess } = grant;
      const read = tokenIn(keyring, connectionId, grant);
      const fresh = read.generation > spent ? believed(read, now()) : read;
      // Sealed anew each time, and so distinct from one of the same number in an earlier life of the connection.
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

function tokenIn(keyring: Keyring, connectionId: string, grant: AccessGrant): Token {
  const { status, generation, expiresAt, refreshAt, sealedAccess } = grant;
  const isUsable = status === 'healthy' && generation !== undefined && sealedAccess !== undefined;
  if (!isUsable) throw needsReauthorisation(connectionId);
  return {
    generation,
    accessToken: open(keyring, sealedAccess, accessContext(connectionId, generation)),
    refreshAtMs: Date.parse(refreshAt ?? ''),
    expiresAtMs: Date.parse(expiresAt ?? ''),
  };
}

/** A token that is due the moment it is new means that clocks disagree: it is used until the provider refuses it. */
const believed = (token: Token, nowMs: number): Token =>
  nowMs < token.refreshAtMs ? token : { ...token, refreshAtMs: Infinity, expiresAtMs: Infinity };
