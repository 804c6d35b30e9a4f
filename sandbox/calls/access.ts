// Who may call: the token, what it was consented to, and the version the call is on.
import type { Engine } from '../engine/parts.js';
import { Refusal, refuse, type ErrorItem } from '../http/refusal.js';
import { isAtLeast, VERSION_HEADER, versionFrom, type ApiVersion } from '../http/request.js';
import type { RequestContext } from '../http/responses.js';
import type { Grant } from '../store/grant.schema.js';
import { grantBehind } from '../tokens/grants.js';

/** What a call comes with besides its content. */
export interface Admitted {
  grant: Grant;
  version: ApiVersion;
}

interface Guarded {
  /** Null: any token will do. */
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
  // A scope must have been consented to and be registered still: one that was added since needs a new consent.
  const { scopes } = engine.store.account;
  if (scope === null || (grant.scopes.includes(scope) && scopes.includes(scope))) return grant;
  // Observed: most bodies say nothing, the header says it all.
  const says = forbidden === undefined ? [] : [forbidden];
  throw new Refusal(403, says, { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` });
}

/** Observed (docs/provider.md#versions): a call without the header is on the lowest version, and refused like it. */
function checkMinimum({ store }: Engine, version: ApiVersion): void {
  const { minimum_version: minimum } = store.account;
  if (minimum === null || isAtLeast(version, minimum)) return;
  throw refuse(
    409,
    'API Version Below Minimum',
    `This account needs ${VERSION_HEADER} ${minimum} or later; this call is on ${version}`,
  );
}
