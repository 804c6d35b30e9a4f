// Checks of PayIDs and accounts before use (docs/provider.md#checks), and data about ourselves (docs/provider.md#operations).
import { AccountValidation, AliasResolution, User } from '../answers/resources.schema.js';
import { AccountValidationRequest, AliasResolutionRequest } from '../requests/lookup.schema.js';
import { accepted, creates, dataOf, type Asking } from './kinds.js';
import type { Call } from '../http/send.js';

const RESOLUTION = '/payto/alias_resolution';
const VALIDATION = '/cop/account/validate';

export const lookupOperations = (asking: Asking) => ({
  /**
   * POST /payto/alias_resolution. Required before an agreement with a PayID; continue only after a 200.
   * Never show the returned name to the payer.
   */
  resolveAlias: creates(asking, 'resolveAlias', RESOLUTION, AliasResolutionRequest, AliasResolution, 200),
  /**
   * POST /cop/account/validate (Confirmation of Payee). Each attempt needs a new uid. If the bank does not know the account,
   * the error is `not_found` with ZCOPR02, and `resourceUid` is the uid under which the provider stored it.
   */
  validateAccount: creates(
    asking,
    'validateAccount',
    VALIDATION,
    AccountValidationRequest,
    AccountValidation,
  ),
  /** GET /ping: a connectivity check. */
  ping: async (call: Call): Promise<void> =>
    asking.ask({ name: 'ping', method: 'GET', path: '/ping', ...accepted }, call),
  /** GET /user: the user that the token belongs to. */
  getUser: async (call: Call): Promise<User> =>
    asking.ask({ name: 'getUser', method: 'GET', path: '/user', read: dataOf('getUser', User) }, call),
});
