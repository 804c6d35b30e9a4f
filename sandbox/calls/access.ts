// Authenticates a call: checks the token, its scopes and the API version.
import type { Engine } from '../engine/parts.js';
import { Refusal, refuse, type ErrorItem } from '../http/refusal.js';
import { isAtLeast, VERSION_HEADER, versionFrom, type ApiVersion } from '../http/request.js';
import type { RequestContext } from '../http/responses.js';
import type { Grant } from '../store/grant.schema.js';
import { grantBehind } from '../tokens/grants.js';

/** The authenticated context of a call. */
export interface Admitted {
  grant: Grant;
  version: ApiVersion;
}

interface Guarded {
  /** Null accepts any token. */
  scope: string | null;
  forbidden?: ErrorItem;
}

export function admit(engine: Engine, c: RequestContext, operation: Guarded): Admitted {
  const grant = checkToken(engine, c.req.header('authorization'), operation);
  const version = versionFrom(c.req.header(VERSION_HEADER));
  checkMinimum(engine, version);
  return { grant, version };
}

function checkToken(engine: Engine, header: string | undefined, { scope, forbidden }: Guarded): Grant {
  const token = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
  const grant = token === undefined ? 'missing' : grantBehind(engine, token);
  if (typeof grant === 'string') {
    throw new Refusal(401, [
      {
        title: 'Unauthorised access token',
        detail: 'Access token is expired or not valid',
      },
    ]);
  }
  // A scope must be both consented to and still registered. A newly registered scope requires a new consent.
  const { scopes } = engine.store.account;
  if (scope === null || (grant.scopes.includes(scope) && scopes.includes(scope))) return grant;
  // Observed: the body is usually empty, and the header names the missing scope.
  const says = forbidden === undefined ? [] : [forbidden];
  throw new Refusal(403, says, { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` });
}

/** Observed (docs/provider.md#versions): a call without the header uses the lowest version and is refused like it. */
function checkMinimum({ store }: Engine, version: ApiVersion): void {
  const { minimum_version: minimum } = store.account;
  if (minimum === null || isAtLeast(version, minimum)) return;
  throw refuse(
    409,
    'API Version Below Minimum',
    `This account requires ${VERSION_HEADER} ${minimum} or later; this call uses ${version}`,
  );
}
