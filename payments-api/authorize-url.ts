// Where a merchant goes in a browser to let us act for them (docs/provider.md#authentication).
import { createHash } from 'node:crypto';

export interface AuthorizeOptions {
  authUrl: string;
  clientId: string;
  redirectUri: string;
  /** Separated by spaces, as in `pay_to_agreements pay_to_payments`. */
  scopes: string;
}

/**
 * @param state comes back with the code; the caller that made it must check it then.
 * @param codeVerifier where the server takes PKCE (RFC 7636, S256): the code is good only together with it. No document of
 *   the provider speaks of it.
 */
export function authorizeUrl(
  { authUrl, clientId, redirectUri, scopes }: AuthorizeOptions,
  state: string,
  codeVerifier?: string,
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes,
    state,
    ...(codeVerifier === undefined ? {} : challengeOf(codeVerifier)),
  });
  return `${authUrl.replace(/\/+$/, '')}/oauth/authorize?${query.toString()}`;
}

const challengeOf = (codeVerifier: string) => ({
  code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
  code_challenge_method: 'S256',
});
