// Who may use an endpoint for webhooks, and with which settings.
import type { Context } from 'hono';
import type { StoredEndpoint } from '../../../records/webhook-endpoint-rows.js';
import type { Gateway } from '../../gateway/create.js';
import type { ApiKey, Scope } from '../../http/api-keys.js';
import { mayUse } from '../../http/caller.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { withScope } from '../../http/identify.js';
import { ApiError, notFound } from '../../http/problems/errors.js';

/** The permission of `controlledEndpoint` in the API document. */
export const CONTROL =
  'The key needs all scopes of the key that made the endpoint, or the scope `operate` for all connections.';

/**
 * The endpoint, if the caller may use it.
 * @param scope that of the route.
 * @throws ApiError `not_found` also for an endpoint of another principal, and for one that receives events of other connections.
 */
export async function ownEndpoint(
  c: Context<Env>,
  temporal: Gateway,
  id: string,
  scope: Scope,
): Promise<StoredEndpoint> {
  const endpoint = await temporal.webhookEndpoints.read(id);
  if (endpoint === undefined || !mayUseEndpoint(withScope(c.get('apiKey'), scope), endpoint))
    throw notFound('a webhook endpoint');
  return endpoint;
}

/**
 * The endpoint, if the caller may also decide what it receives, and where. It receives what its key may see, so a key that may see less must not.
 * @throws ApiError as `ownEndpoint`, and `insufficient_scope`
 */
export async function controlledEndpoint(
  c: Context<Env>,
  temporal: Gateway,
  id: string,
): Promise<StoredEndpoint> {
  const endpoint = await ownEndpoint(c, temporal, id, 'write');
  assertControls(withScope(c.get('apiKey'), 'write'), endpoint);
  return endpoint;
}

/** @throws ApiError `insufficient_scope` */
export function assertControls(
  { id, scopes, connections: bound }: ApiKey,
  { apiKeyId, keyScopes }: Pick<StoredEndpoint, 'apiKeyId' | 'keyScopes'>,
): void {
  const missing = keyScopes.filter((scope) => !scopes.some((one) => one === scope));
  const isOperator = bound === undefined && scopes.includes('operate');
  if (missing.length === 0 || id === apiKeyId || isOperator) return;
  throw new ApiError(
    'insufficient_scope',
    `The endpoint sends what the key that made it may see. This API key lacks its scope ${missing.join(', ')}. Use that key, or one with all of its scopes.`,
  );
}

/** Operators of all connections may use those of all principals. */
export function mayUseEndpoint(
  { principal, scopes, connections: bound }: ApiKey,
  { principal: owner, keyConnections }: Pick<StoredEndpoint, 'principal' | 'keyConnections'>,
): boolean {
  if (bound === undefined) return principal === owner || scopes.includes('operate');
  return principal === owner && keyConnections?.every((id) => bound.includes(id)) === true;
}

interface Checked {
  url?: string | undefined;
  connections?: readonly string[] | null | undefined;
  form?: StoredEndpoint['form'] | undefined;
}

/**
 * Checks what a request sets.
 * @param endpoint that it changes. Undefined: it creates one.
 * @throws ApiError `webhook_url_refused`, `connection_unknown`, `not_found`, `insufficient_scope`, `invalid_request`
 */
export async function assertAllowed(
  { temporal, checkWebhookUrl }: Pick<ApiDependencies, 'temporal' | 'checkWebhookUrl'>,
  key: ApiKey,
  { url, connections, form }: Checked,
  endpoint?: StoredEndpoint,
): Promise<void> {
  if (form === 'full') assertReader(key, endpoint);
  await assertConnections(temporal, key, connections ?? [], endpoint);
  const problem = url === undefined ? undefined : await checkWebhookUrl(url);
  if (problem === undefined) return;
  throw new ApiError('webhook_url_refused', `The URL of a webhook endpoint ${problem}.`, {
    errors: [{ pointer: '/url', detail: problem }],
  });
}

/** A full event shows what `read` shows, with the scopes of the key that made the endpoint. */
function assertReader(key: ApiKey, endpoint: StoredEndpoint | undefined): void {
  withScope(key, 'read');
  if (endpoint?.keyScopes.includes('read') !== false) return;
  throw new ApiError(
    'insufficient_scope',
    'The key that made this endpoint lacks the scope read. Use the form thin, or create an endpoint with another key.',
  );
}

async function assertConnections(
  temporal: Gateway,
  { connections: bound }: ApiKey,
  ids: readonly string[],
  endpoint: StoredEndpoint | undefined,
): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const pointer = `/connections/${index}`;
    if (!mayUse(bound, id)) throw notFound('a resource of your connections');
    if (endpoint !== undefined && !mayUse(endpoint.keyConnections, id))
      throw new ApiError('invalid_request', 'The key that made this endpoint may not use this connection.', {
        errors: [{ pointer, detail: 'expected a connection of the key that made the endpoint' }],
      });
    await temporal.connectionFor(id).catch((error: unknown) => {
      throw error instanceof ApiError && error.code === 'connection_unknown'
        ? new ApiError(error.code, error.detail, {
            errors: error.errors.map(({ detail }) => ({ pointer, detail })),
          })
        : error;
    });
  }
}
