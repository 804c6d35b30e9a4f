// What a process remembers of access tokens: in clear, in memory, and nowhere else.
// In:  activities/tokens.ts.
import { accessContext } from '../sealing/contexts.js';
import { open } from '../sealing/keyring.js';
import { needsReauthorisation } from './failure.js';
import type { AccessGrant } from '../workflows/connection.contract.js';
import type { Keyring } from '../sealing/keyring.js';

/** How long a token is used before its connection is asked whether it still stands: a revocation of ours acts within it. */
const STANDING_MS = 60_000;

export interface Token {
  generation: number;
  accessToken: string;
  refreshAtMs: number;
  expiresAtMs: number;
}

export interface KnownTokens {
  /**
   * Remembers what a connection has answered.
   * @param spent the generation that this is to follow, where a renewal was asked for.
   * @throws ApplicationFailure `needs_reauthorisation` where there is no token to be had; SealError
   */
  keep: (connectionId: string, grant: AccessGrant, spent?: number) => Token;
  /** The token remembered, and whether it need not be asked for again as yet. */
  find: (connectionId: string) => { token: Token; isRecent: boolean } | undefined;
}

export function createKnownTokens(keyring: Keyring, now: () => number): KnownTokens {
  const known = new Map<string, { token: Token; sealedAccess: string | undefined; readAtMs: number }>();
  return {
    keep(connectionId, grant, spent = Infinity) {
      const before = known.get(connectionId);
      known.delete(connectionId);
      const { sealedAccess } = grant;
      const read = tokenIn(keyring, connectionId, grant);
      const fresh = read.generation > spent ? believed(read, now()) : read;
      // Sealed anew each time, and so told apart from one of the same number in an earlier life of the connection.
      const token = before?.sealedAccess === sealedAccess ? (before?.token ?? fresh) : fresh;
      known.set(connectionId, { token, sealedAccess, readAtMs: now() });
      return token;
    },
    find(connectionId) {
      const found = known.get(connectionId);
      if (found === undefined) return undefined;
      return { token: found.token, isRecent: Math.abs(now() - found.readAtMs) < STANDING_MS };
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
