// Checks a caller's return URL against the allow-list, so that our links never lead to another site.
import { ApiError } from '../../http/problems/errors.js';

/** @param allowed URLs without a query. @throws ApiError `invalid_request` */
export function requireReturnUrl(allowed: readonly string[], returnUrl: string | undefined): void {
  if (returnUrl === undefined) return;
  const { origin, pathname, username, password, hash } = new URL(returnUrl);
  if (allowed.includes(`${origin}${pathname}`) && username + password + hash === '') return;
  throw new ApiError('invalid_request', 'The return URL is not allowed.', {
    errors: [
      {
        pointer: '/return_url',
        detail:
          'expected a URL of RETURN_URLS of the API, without a fragment and credentials; its query is free',
      },
    ],
  });
}
