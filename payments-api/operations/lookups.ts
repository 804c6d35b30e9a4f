// Checks of PayIDs and accounts before use (docs/provider.md#checks), and data about ourselves (docs/provider.md#operations).
import { AccountValidation, AliasResolution, User } from '../answers/resources.schema.js';
import { AccountValidationRequest, AliasResolutionRequest } from '../requests/lookup.schema.js';
import { accepted, creates, dataOf } from './kinds.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';

export interface LookupOperations {
  /**
   * POST /payto/alias_resolution. Required before an agreement with a PayID; continue only after a 200.
   * Never show the returned name to the payer.
   */
  resolveAlias(request: AliasResolutionRequest, call: Call): Promise<AliasResolution>;
  /**
   * POST /cop/account/validate (Confirmation of Payee). Each attempt needs a new uid. If the bank does not know the account,
   * the error is `not_found` with ZCOPR02, and `resourceUid` is the uid under which the provider stored it.
   */
  validateAccount(request: AccountValidationRequest, call: Call): Promise<AccountValidation>;
  /** GET /ping: a connectivity check. */
  ping(call: Call): Promise<void>;
  /** GET /user: the user that the token belongs to. */
  getUser(call: Call): Promise<User>;
}

export function lookupOperations(asking: Asking): LookupOperations {
  const resolution = '/payto/alias_resolution';
  const validation = '/cop/account/validate';
  const readUser = dataOf('getUser', User);
  return {
    resolveAlias: creates(asking, 'resolveAlias', resolution, AliasResolutionRequest, AliasResolution, 200),
    validateAccount: creates(
      asking,
      'validateAccount',
      validation,
      AccountValidationRequest,
      AccountValidation,
    ),
    ping: async (call) => asking.ask({ name: 'ping', method: 'GET', path: '/ping', ...accepted }, call),
    getUser: async (call) =>
      asking.ask({ name: 'getUser', method: 'GET', path: '/user', read: readUser }, call),
  };
}
