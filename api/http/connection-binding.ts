// A key that is bound to connections finds nothing else: each route answers as if other resources did not exist.
import type { Context, MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Gateway } from '../gateway/create.js';
import { mayUse } from './caller.js';
import type { ApiDependencies } from './dependencies.js';
import type { Env } from './env.js';
import { ApiError, notFound } from './problems/errors.js';

/** The resources that store their connection. */
export type BoundResource = Parameters<Gateway['connectionOf']>[0];

/**
 * How we find the connection of the resource. `path`, `query` or `body` names it; without a name, the only connection counts.
 * `state`: the sealed OAuth state contains it. `event`: we look up the resource of the webhook. A resource name such as
 * `agreement`: the resource in the path stores it. `none`: the resource belongs to no connection.
 * `filtered`: the handler answers only with what belongs to the connections of the key.
 */
export type ConnectionSource =
  'path' | 'query' | 'body' | 'state' | 'event' | 'none' | 'filtered' | BoundResource;

/** Runs after the body was checked. Does nothing for keys that are not bound. */
export const bindToConnections = (
  source: ConnectionSource,
  { temporal }: Pick<ApiDependencies, 'temporal'>,
): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    const bound = c.get('apiKey')?.connections;
    const isFiltered = source === 'filtered' && c.req.query('connection') === undefined;
    if (bound !== undefined && !isFiltered) {
      const connection = await connectionOf(c, source, temporal);
      if (!mayUse(bound, connection)) throw notFound('a resource of your connections');
    }
    await next();
  });

async function connectionOf(
  c: Context<Env>,
  source: ConnectionSource,
  temporal: ApiDependencies['temporal'],
): Promise<string | undefined> {
  const { id, uid, connection } = c.req.param() as Record<string, string | undefined>;
  switch (source) {
    case 'path':
      return connection ?? id;
    case 'query':
    case 'filtered':
      return named(c.req.query('connection'), 'the query parameter connection');
    case 'body':
      return named(await connectionInBody(c), c.req.path === '/v1/connections' ? 'id' : 'connection');
    case 'state':
    case 'event':
    case 'none':
      return undefined;
    default:
      return temporal.connectionOf(source, uid ?? id ?? '');
  }
}

async function connectionInBody(c: Context<Env>): Promise<string | undefined> {
  const body: unknown = await c.req.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null) return undefined;
  const name = c.req.path === '/v1/connections' ? 'id' : 'connection';
  const value: unknown = Reflect.get(body, name);
  return typeof value === 'string' ? value : undefined;
}

/** We choose no connection for a bound key. @throws ApiError `connection_required` */
function named(connection: string | undefined, where: string): string {
  if (connection !== undefined) return connection;
  throw new ApiError(
    'connection_required',
    `This API key is bound to connections. Name one of them in ${where}.`,
  );
}
