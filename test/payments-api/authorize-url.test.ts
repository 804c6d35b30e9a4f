// The address that a merchant's browser is sent to (docs/provider.md#authentication).
import { expect, test } from 'vitest';
import { authorizeUrl } from '../../payments-api/authorize-url.js';

const OPTIONS = {
  authUrl: 'https://auth.example/',
  clientId: 'app',
  redirectUri: 'https://us.example/oauth/callback?a=b',
  scopes: 'pay_to_agreements pay_to_payments',
};

test('asks for a code with all that the interface names, and the state', () => {
  const url = new URL(authorizeUrl(OPTIONS, 'st&te'));
  expect(`${url.origin}${url.pathname}`).toBe('https://auth.example/oauth/authorize');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'app',
    redirect_uri: 'https://us.example/oauth/callback?a=b',
    scope: 'pay_to_agreements pay_to_payments',
    state: 'st&te',
  });
});
