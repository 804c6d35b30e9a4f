// Grants and their tokens: issue, single use, and revocation after a reuse. Only hashes are stored.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Store } from '../store/document.js';
import type { Challenge, Grant, Token } from '../store/grant.schema.js';
import type { Clock } from '../time/clock.js';
import { isProven } from './proof-key.js';

// Recently refreshed token pairs in clear, for servers with a grace period. They are never saved, so a restart ends all grace periods.
const LONGEST_GRACE_MS = 300_000;

export interface TokenPair {
  access_token: string;
  refresh_token: string;
}

interface RecentPair {
  tokens: TokenPair;
  atMs: number;
}

export type RecentPairs = ReturnType<typeof createRecentPairs>;

export function createRecentPairs() {
  const pairs = new Map<string, RecentPair>();
  return {
    /** @param spent the hash of the refresh token that was exchanged for the pair. */
    keep(spent: string, pair: RecentPair): void {
      for (const [old, { atMs }] of pairs) if (atMs + LONGEST_GRACE_MS < pair.atMs) pairs.delete(old);
      pairs.set(spent, pair);
    },
    find(spent: string, graceMs: number, nowMs: number): RecentPair | undefined {
      const pair = pairs.get(spent);
      return pair !== undefined && nowMs < pair.atMs + graceMs ? pair : undefined;
    },
  };
}

const CODE_MS = 10 * 60_000;
const ACCESS_TOKEN_SECONDS = 7200;

export interface Issued {
  /** `issued_again`: returned again within the grace period of a used refresh token. */
  outcome: 'issued' | 'issued_again';
  grant: Grant;
  tokens: TokenPair;
  /** The remaining life of the access token. Null if it never expires (scope `offline_access`). */
  expiresInSeconds: number | null;
}

/** The outcome of a token request. All outcomes except the issued ones are an `invalid_grant`. */
export type Issue =
  | Issued
  | {
      outcome:
        | 'code_unknown'
        | 'code_expired'
        | 'code_reused'
        | 'redirect_uri_differs'
        | 'code_verifier_differs'
        | 'refresh_token_unknown'
        | 'refresh_token_reused'
        | 'grant_revoked';
      grant?: Grant;
    };

type Holder = { store: Store; clock: Clock };
type Refresher = Holder & { recentPairs: RecentPairs };

const hash = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
const newSecret = (): string => randomBytes(32).toString('base64url');

/** The data that a code is bound to. */
export interface CodeRequest {
  redirectUri: string;
  scopes: string[];
  consenter: string;
  challenge: Challenge | null;
}

export function issueCode({ store, clock }: Holder, { redirectUri, ...asked }: CodeRequest): string {
  const code = newSecret();
  const expires_at = clock.now() + CODE_MS;
  store.codes.set(hash(code), { redirect_uri: redirectUri, ...asked, expires_at, used: false });
  store.touch();
  return code;
}

/** @param verifier the verifier for the challenge of the authorisation request. */
export function exchangeCode(
  holder: Holder,
  code: string,
  redirectUri: string,
  verifier: string | undefined,
): Issue {
  const { store, clock } = holder;
  const known = store.codes.get(hash(code));
  if (known === undefined) return { outcome: 'code_unknown' };
  if (known.used) return { outcome: 'code_reused' };
  if (known.expires_at <= clock.now()) return { outcome: 'code_expired' };
  if (known.redirect_uri !== redirectUri) return { outcome: 'redirect_uri_differs' };
  if (!isProven(known.challenge, verifier)) return { outcome: 'code_verifier_differs' };
  known.used = true;
  const { scopes, consenter } = known;
  const grant: Grant = { id: randomUUID(), scopes, consenter, generation: 0, revoked: false };
  store.grants.set(grant.id, grant);
  return issue(holder, grant);
}

/**
 * A refresh token works once. A reuse revokes the whole grant, because the token may be stolen. Within a grace period, a reuse
 * returns the same pair again, unless its newer refresh token was used.
 */
export function refresh(holder: Refresher, refreshToken: string, graceMs = 0): Issue {
  const spent = hash(refreshToken);
  const found = refreshTokenBehind(holder, spent);
  if (found === undefined) return { outcome: 'refresh_token_unknown' };
  const { token, grant } = found;
  if (token.used) {
    const again = issueAgain(holder, grant, spent, graceMs);
    if (again !== undefined) return again;
    grant.revoked = true;
    return { outcome: 'refresh_token_reused', grant };
  }
  if (grant.revoked) return { outcome: 'grant_revoked', grant };
  token.used = true;
  const issued = issue(holder, grant);
  holder.recentPairs.keep(spent, { tokens: issued.tokens, atMs: holder.clock.now() });
  return issued;
}

/** The grant of a refresh token, even if the token is used or revoked. */
export function grantOfRefreshToken(holder: Holder, refreshToken: string): Grant | undefined {
  return refreshTokenBehind(holder, hash(refreshToken))?.grant;
}

/** True if this refresh token was already used. */
export function isSpent(holder: Holder, refreshToken: string): boolean {
  return refreshTokenBehind(holder, hash(refreshToken))?.token.used ?? false;
}

function refreshTokenBehind(
  { store }: Holder,
  hashed: string,
): { token: Extract<Token, { kind: 'refresh' }>; grant: Grant } | undefined {
  const token = store.tokens.get(hashed);
  const grant = token && store.grants.get(token.grant);
  return token?.kind === 'refresh' && grant !== undefined ? { token, grant } : undefined;
}

function issueAgain(holder: Refresher, grant: Grant, spent: string, graceMs: number): Issued | undefined {
  const nowMs = holder.clock.now();
  const pair = holder.recentPairs.find(spent, graceMs, nowMs);
  if (pair === undefined || grant.revoked || isSpent(holder, pair.tokens.refresh_token)) return undefined;
  const lifetime = accessTokenSeconds(grant);
  const elapsed = Math.floor((nowMs - pair.atMs) / 1000);
  const expiresInSeconds = lifetime === null ? null : lifetime - elapsed;
  return { outcome: 'issued_again', grant, tokens: pair.tokens, expiresInSeconds };
}

/** Two hours, or no expiry with the scope `offline_access` (docs/provider.md#authentication). */
const accessTokenSeconds = ({ scopes }: Grant): number | null =>
  scopes.includes('offline_access') ? null : ACCESS_TOKEN_SECONDS;

function issue({ store, clock }: Holder, grant: Grant): Issued {
  const tokens = { access_token: newSecret(), refresh_token: newSecret() };
  const expiresInSeconds = accessTokenSeconds(grant);
  const expires_at = expiresInSeconds === null ? null : clock.now() + expiresInSeconds * 1000;
  grant.generation += 1;
  store.tokens.set(hash(tokens.access_token), { kind: 'access', grant: grant.id, expires_at });
  store.tokens.set(hash(tokens.refresh_token), { kind: 'refresh', grant: grant.id, used: false });
  store.touch();
  return { outcome: 'issued', grant, tokens, expiresInSeconds };
}

/** The grant of an access token, or why the token is invalid. */
export function grantBehind(
  { store, clock }: Holder,
  accessToken: string,
): Grant | 'unknown' | 'expired' | 'revoked' {
  const token = store.tokens.get(hash(accessToken));
  const grant = token && store.grants.get(token.grant);
  if (token?.kind !== 'access' || grant === undefined) return 'unknown';
  if (grant.revoked) return 'revoked';
  return token.expires_at !== null && token.expires_at <= clock.now() ? 'expired' : grant;
}
