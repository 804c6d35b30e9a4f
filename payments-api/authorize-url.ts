// The URL at which a merchant consents in a browser (docs/provider.md#authentication).
import { createHash } from 'node:crypto';

export interface AuthorizeOptions {
  authUrl: string;
  clientId: string;
  redirectUri: string;
  /** Separated by spaces, as in `pay_to_agreements pay_to_payments`. */
  scopes: string;
}

/**
 * @param state returned with the code. The caller must check it then.
 * @param codeVerifier set if the server supports PKCE (RFC 7636, S256). The code is then valid only together with it.
 *   The provider's documents do not mention PKCE.
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
  return `${authUrl.replace(/(?<!\/)\/+$/, '')}/oauth/authorize?${query.toString()}`;
}

const challengeOf = (codeVerifier: string) => ({
  code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
  code_challenge_method: 'S256',
});
