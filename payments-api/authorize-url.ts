// Where a merchant goes in a browser to let us act for them (interface 4.1).

export interface AuthorizeOptions {
  authUrl: string;
  clientId: string;
  redirectUri: string;
  /** Separated by spaces, as in `pay_to_agreements pay_to_payments`. */
  scopes: string;
}

/** @param state comes back with the code; whoever made it must check it then. */
export function authorizeUrl(
  { authUrl, clientId, redirectUri, scopes }: AuthorizeOptions,
  state: string,
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes,
    state,
  });
  return `${authUrl.replace(/\/+$/, '')}/oauth/authorize?${query.toString()}`;
}
