// What the provider knows about PayIDs and accounts before they are used (docs/provider.md#checks), and about ourselves (docs/provider.md#operations).
import { AccountValidation, AliasResolution, User } from '../answers/resources.schema.js';
import { AccountValidationRequest, AliasResolutionRequest } from '../requests/lookup.schema.js';
import { accepted, creates, dataOf } from './kinds.js';
import type { Asking } from './kinds.js';
import type { Call } from '../http/send.js';

export interface LookupOperations {
  /**
   * POST /payto/alias_resolution, compulsory before an agreement with a PayID: only a 200 permits going on.
   * The name in it is never shown to the payer.
   */
  resolveAlias(request: AliasResolutionRequest, call: Call): Promise<AliasResolution>;
  /**
   * POST /cop/account/validate (Confirmation of Payee). Each try needs a uid of its own. A bank that knows no such
   * account is `not_found` with ZCOPR02, and `resourceUid` says under which uid that was kept.
   */
  validateAccount(request: AccountValidationRequest, call: Call): Promise<AccountValidation>;
  /** GET /ping: whether the provider answers us at all. */
  ping(call: Call): Promise<void>;
  /** GET /user: whom the token belongs to. */
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
