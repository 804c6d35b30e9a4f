// Who makes a request, and whether an existing resource may be shown to this caller.
import type { Context } from 'hono';
import { isOfAnother } from '../../domain/agreement/repeat.js';
import type { Env } from './env.js';
import { ApiError } from './problems/errors.js';

export interface Caller {
  /** The stable name of the caller, the same for all its keys. */
  principal: string;
  /** The only connections that the key may use. Undefined: all. */
  connections: readonly string[] | undefined;
}

export const callerOf = (c: Context<Env>): Caller => ({
  principal: c.get('principal'),
  connections: c.get('apiKey')?.connections,
});

/** A resource without a connection is not found by a key that is bound to connections. */
export const mayUse = (bound: readonly string[] | undefined, connectionId: string | undefined): boolean =>
  bound === undefined || (connectionId !== undefined && bound.includes(connectionId));

interface Owned {
  state?: string | undefined;
  requestedBy?: string | undefined;
  connectionId?: string | undefined;
}

/**
 * Refuses a resource that another caller requested, and one of a connection that the key may not use, in the same words. Compare the request with
 * the resource only after that. Resources adopted from the provider belong to no caller, and a uid that only events have named is free.
 * @param found undefined passes.
 * @param pointer the field of the body that names the resource.
 * @throws ApiError `idempotency_conflict`
 */
export function requestedByCaller<Found extends Owned | undefined>(
  found: Found,
  { principal, connections }: Partial<Caller>,
  pointer: '/uid' | '/id' = '/uid',
): Found {
  if (found === undefined || found.state === 'unknown') return found;
  if (!isOfAnother(found, principal) && mayUse(connections, found.connectionId)) return found;
  const detail = 'expected a value that no other caller has used';
  throw new ApiError(
    'idempotency_conflict',
    `Another caller has already used this ${pointer.slice(1)}. Choose another one.`,
    { errors: [{ pointer, detail }] },
  );
}
