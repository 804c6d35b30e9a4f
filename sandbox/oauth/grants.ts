// Grants and their tokens: what is issued once, what may be used once, and what a reuse costs.
// Only hashes are kept; a token is known in clear to whoever it was given to.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../time/clock.js';
import type { Grant } from './oauth.schema.js';
import type { Store } from '../store.js';

const CODE_MS = 10 * 60_000;
export const ACCESS_TOKEN_SECONDS = 7200;

export interface TokenPair {
  access_token: string;
  refresh_token: string;
}

/** What became of a token request; every outcome but `issued` is an `invalid_grant`. */
export type Issue =
  | { outcome: 'issued'; grant: Grant; tokens: TokenPair }
  | {
      outcome:
        | 'code_unknown'
        | 'code_expired'
        | 'code_reused'
        | 'redirect_uri_differs'
        | 'refresh_token_unknown'
        | 'refresh_token_reused'
        | 'grant_revoked';
      grant?: Grant;
    };

type Holder = { store: Store; clock: Clock };

const hash = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
const newSecret = (): string => randomBytes(32).toString('base64url');

export function issueCode({ store, clock }: Holder, redirectUri: string, scopes: string[]): string {
  const code = newSecret();
  const expires_at = clock.now() + CODE_MS;
  store.codes.set(hash(code), { redirect_uri: redirectUri, scopes, expires_at, used: false });
  store.touch();
  return code;
}

export function exchangeCode(holder: Holder, code: string, redirectUri: string): Issue {
  const { store, clock } = holder;
  const known = store.codes.get(hash(code));
  if (known === undefined) return { outcome: 'code_unknown' };
  if (known.used) return { outcome: 'code_reused' };
  if (known.expires_at <= clock.now()) return { outcome: 'code_expired' };
  if (known.redirect_uri !== redirectUri) return { outcome: 'redirect_uri_differs' };
  known.used = true;
  const grant: Grant = { id: randomUUID(), scopes: known.scopes, generation: 0, revoked: false };
  store.grants.set(grant.id, grant);
  return { outcome: 'issued', grant, tokens: issueTokens(holder, grant) };
}

/** A refresh token works once. Used again, it takes its whole grant with it: somebody may have stolen it. */
export function refresh(holder: Holder, refreshToken: string): Issue {
  const { store } = holder;
  const token = store.tokens.get(hash(refreshToken));
  const grant = token && store.grants.get(token.grant);
  if (token?.kind !== 'refresh' || grant === undefined) return { outcome: 'refresh_token_unknown' };
  if (token.used) {
    grant.revoked = true;
    return { outcome: 'refresh_token_reused', grant };
  }
  if (grant.revoked) return { outcome: 'grant_revoked', grant };
  token.used = true;
  return { outcome: 'issued', grant, tokens: issueTokens(holder, grant) };
}

function issueTokens({ store, clock }: Holder, grant: Grant): TokenPair {
  const tokens = { access_token: newSecret(), refresh_token: newSecret() };
  const expires_at = clock.now() + ACCESS_TOKEN_SECONDS * 1000;
  grant.generation += 1;
  store.tokens.set(hash(tokens.access_token), { kind: 'access', grant: grant.id, expires_at });
  store.tokens.set(hash(tokens.refresh_token), { kind: 'refresh', grant: grant.id, used: false });
  return tokens;
}

/** The grant behind an access token, or why there is none to be had. */
export function grantBehind(
  { store, clock }: Holder,
  accessToken: string,
): Grant | 'unknown' | 'expired' | 'revoked' {
  const token = store.tokens.get(hash(accessToken));
  const grant = token && store.grants.get(token.grant);
  if (token?.kind !== 'access' || grant === undefined) return 'unknown';
  if (grant.revoked) return 'revoked';
  return token.expires_at <= clock.now() ? 'expired' : grant;
}
