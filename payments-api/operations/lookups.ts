// What the provider can tell about PayIDs and accounts before they are used (facts 15), and about ourselves (facts 4).
// In:  payments-api/client.ts.
// Out: payments-api/requests/body.ts builds bodies, resources.schema.ts reads answers.
import { AccountValidation, AliasResolution, User } from '../answers/resources.schema.js';
import { AccountValidationRequest, AliasResolutionRequest } from '../requests/lookup.schema.js';
import { accepted, dataOf } from './kinds.js';
import { requestBody } from '../requests/body.js';
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

export function lookupOperations({ ask, version }: Asking): LookupOperations {
  return {
    resolveAlias: async (request, call) => {
      const name = 'resolveAlias';
      const body = requestBody(name, AliasResolutionRequest, request, version);
      const asked = { name, method: 'POST', path: '/payto/alias_resolution', body, status: 200 } as const;
      return ask({ ...asked, read: dataOf(name, AliasResolution) }, call);
    },
    validateAccount: async (request, call) => {
      const name = 'validateAccount';
      const body = requestBody(name, AccountValidationRequest, request, version);
      const read = dataOf(name, AccountValidation);
      return ask({ name, method: 'POST', path: '/cop/account/validate', body, read }, call);
    },
    ping: async (call) => ask({ name: 'ping', method: 'GET', path: '/ping', ...accepted }, call),
    getUser: async (call) => {
      const name = 'getUser';
      return ask({ name, method: 'GET', path: '/user', read: dataOf(name, User) }, call);
    },
  };
}
