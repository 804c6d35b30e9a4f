// A route's contract: one value that registers the route, decides who may call it, bounds its body and documents it.
import type { OpenAPIRoute, RouteConfig } from '@hono/zod-openapi';
import type { Handler, MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { z } from 'zod';
import { NoBody } from '../../domain/agreement/action.schema.js';
import { limitBody, requireJson, requireJsonType } from './body.js';
import type { ApiDependencies } from './dependencies.js';
import type { Env, Router } from './env.js';
import { ApiError } from './problems/errors.js';
import { SCOPES, keyOf } from './api-keys.js';
import type { ApiKey, Scope } from './api-keys.js';
import { maskPersonal } from './masking.js';
import { Problem } from './problems/answer.schema.js';

/** A scope of the caller's key; `public` needs none, `signed` is for the provider, whose signature the handler verifies. */
export type Access = Scope | 'public' | 'signed';

/**
 * How the connection is found that the resource is on: named in path, query or body (there or else the only one), signed into the
 * `state` of a consent, kept by the agreement, payment, refund, client, counterparty, onboarding or batch that the path names, or asked for by an event. `none`: it is on none.
 */
type ConnectionSource =
  | 'path'
  | 'query'
  | 'body'
  | 'state'
  | 'agreement'
  | 'payment'
  | 'refund'
  | 'client'
  | 'onboarding'
  | 'counterparty'
  | 'batch'
  | 'event'
  | 'none';

type Described = Omit<RouteConfig, 'responses' | 'security' | 'middleware' | 'hide'>;
interface Contract extends Described {
  operationId: string;
  tags: [
    | 'agreements'
    | 'payments'
    | 'clients'
    | 'counterparties'
    | 'onboardings'
    | 'batches'
    | 'connections'
    | 'bridge'
    | 'operations',
  ];
  summary: string;
  access: Access;
  connection: ConnectionSource;
  /** Ways to identify the caller other than a key in the Authorization header. */
  orSecurity?: Record<string, string[]>[];
  maxBodyBytes?: number;
  answers: RouteConfig['responses'];
  /** What may go wrong beyond what follows from the access and from the request. */
  problems?: readonly ProblemStatus[];
}

/** Completes a route's description by what follows from its access and from its request. */
export function contract<const C extends Contract>(stated: C) {
  const {
    access,
    connection,
    orSecurity = [],
    maxBodyBytes = 32 * 1024,
    answers,
    problems = [],
    ...described
  } = stated;
  const scope = SCOPES.find((name) => name === access);
  const route = {
    ...described,
    ...(scope === undefined ? {} : { security: [{ apiKey: [] }, ...orSecurity], 'x-scope': scope }),
    ...(connection === 'none' ? {} : { 'x-connection': connection }),
    responses: { ...answers, ...responsesOf([...problems, ...followingFrom(stated)]) },
  };
  const authorise = scope === undefined ? [] : [requireScope(scope)];
  return { access, scope, connection, route, authorise, checkBody: bodyChecks(stated, maxBodyBytes) };
}

export interface Endpoint {
  access: Access;
  /** The scope that a caller's key needs, if the caller needs a key. */
  scope: Scope | undefined;
  /** Usually one; more where the same handler is found under several paths. Each with how its connection is found. */
  routes: readonly (RouteConfig & { connection: ConnectionSource })[];
  register: (router: Router, dependencies: ApiDependencies) => void;
}
interface Contracted<Route extends RouteConfig> {
  access: Access;
  scope: Scope | undefined;
  connection: ConnectionSource;
  route: Route;
  authorise: MiddlewareHandler<Env>[];
  checkBody: MiddlewareHandler<Env>[];
}

type Middleware = (dependencies: ApiDependencies) => MiddlewareHandler<Env>;
/** What a route does with a request besides what its contract states, and when. */
interface Extra {
  /** Before all else, and whatever the method: a browser asks with OPTIONS first whether a page of elsewhere may ask at all. */
  everyMethod?: Middleware[];
  /** Who the caller is, where that is not said by an API key in the Authorization header alone. */
  identify?: Middleware;
  beforeAuthorisation?: Middleware;
  afterAuthorisation?: Middleware;
}

function middlewareOf(
  { scope, authorise, checkBody }: Contracted<RouteConfig>,
  { identify = byApiKey, beforeAuthorisation, afterAuthorisation }: Extra,
  dependencies: ApiDependencies,
): MiddlewareHandler<Env>[] {
  const made = (middleware: Middleware | undefined) => (middleware ? [middleware(dependencies)] : []);
  const identified = scope === undefined ? [] : [identify(dependencies), maskPersonal];
  return [
    ...made(beforeAuthorisation),
    ...identified,
    ...authorise,
    ...made(afterAuthorisation),
    ...checkBody,
  ];
}

function registerForEveryMethod(
  router: Router,
  pattern: string,
  { everyMethod = [] }: Extra,
  dependencies: ApiDependencies,
): void {
  for (const middleware of everyMethod) router.use(pattern, middleware(dependencies));
}

const listed = ({ route, connection }: Contracted<RouteConfig>) => ({ ...route, connection });

/** A route whose request is validated before its handler runs. */
export const endpoint = <Route extends RouteConfig>(
  contracted: Contracted<Route>,
  handlerFor: (dependencies: ApiDependencies) => OpenAPIRoute<Route, Env>['handler'],
  extra: Extra = {},
): Endpoint => ({
  access: contracted.access,
  scope: contracted.scope,
  routes: [listed(contracted)],
  register: (router, dependencies) => {
    registerForEveryMethod(router, contracted.route.path, extra, dependencies);
    const route = { ...contracted.route, middleware: middlewareOf(contracted, extra, dependencies) };
    router.openapiRoutes([{ route, handler: handlerFor(dependencies) }]);
  },
});

/** A route that reads its request itself: bytes that must be verified first, or what a person's browser sends. */
export const rawEndpoint = (
  contracted: Contracted<RouteConfig>,
  handlerFor: (dependencies: ApiDependencies) => Handler<Env>,
  extra: Extra = {},
  others: readonly Contracted<RouteConfig>[] = [],
): Endpoint => ({
  access: contracted.access,
  scope: contracted.scope,
  routes: [contracted, ...others].map(listed),
  register: (router, dependencies) => {
    const handler = handlerFor(dependencies);
    for (const one of [contracted, ...others]) {
      const { method, path } = one.route;
      const pattern = path.replaceAll(/\{(\w+)\}/g, `:$1{${UID_PATTERN}}`);
      registerForEveryMethod(router, pattern, extra, dependencies);
      router.on(method.toUpperCase(), [pattern], ...middlewareOf(one, extra, dependencies), handler);
    }
  },
});
const UID_PATTERN = '[A-Za-z0-9_~.-]{1,64}';

/** The caller is who has the API key in the Authorization header. */
const byApiKey: Middleware = ({ keys }) =>
  createMiddleware<Env>(async (c, next) => {
    const key = keyOf(keys, c.req.header('authorization'));
    if (key === undefined) throw unauthenticated();
    c.set('apiKey', key);
    await next();
  });

/** Refuses also a caller whom nothing has identified: such a route is closed, not open. */
const requireScope = (scope: Scope): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    c.set('principal', withScope(c.get('apiKey'), scope).principal);
    await next();
  });

/** For what a body may ask beyond what its route's access allows. @throws ApiError `unauthenticated`, `insufficient_scope` */
export function withScope(key: ApiKey | undefined, scope: Scope): ApiKey {
  if (key === undefined) throw unauthenticated();
  if (!key.scopes.includes(scope)) throw insufficientScope(scope);
  return key;
}

/** @param or what would do instead of a key, where something would. */
export const unauthenticated = (or = ''): ApiError =>
  new ApiError(
    'unauthenticated',
    `Expected the header Authorization: Bearer <API key> with a key that is known${or}.`,
    { headers: { 'www-authenticate': 'Bearer realm="payto"' } },
  );

const insufficientScope = (scope: Scope): ApiError =>
  new ApiError('insufficient_scope', `Expected a key with the scope ${scope}.`, {
    headers: { 'www-authenticate': `Bearer realm="payto", error="insufficient_scope", scope="${scope}"` },
  });

function bodyChecks({ access, request }: Contract, maxBytes: number): MiddlewareHandler<Env>[] {
  if (request?.body === undefined) return [];
  if (!isJson(request.body)) return [limitBody(maxBytes)];
  // What is signed may not be parsed before it is verified.
  if (access === 'signed') return [requireJsonType, limitBody(maxBytes)];
  return requireJson(maxBytes, { isOptional: request.body.required !== true });
}

function followingFrom({ access, request }: Contract): ProblemStatus[] {
  const ofKey: ProblemStatus[] = access === 'public' ? [] : access === 'signed' ? [401] : [401, 403];
  const ofRequest: ProblemStatus[] = access === 'public' || request === undefined ? [] : [400];
  const ofBody: ProblemStatus[] =
    request?.body === undefined ? [] : isJson(request.body) ? [413, 415] : [413];
  return [...ofKey, ...ofRequest, ...ofBody];
}

const isJson = ({ content }: { content: object }): boolean => 'application/json' in content;

export const json = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { 'application/json': { schema } },
});

/** For a person's browser. */
export const page = (description: string) => ({ description, content: { 'text/html': { schema: HTML } } });
const HTML = { type: 'string' as const };

export const bodyOf = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true as const,
  content: { 'application/json': { schema } },
});

/** A body that may be left out, as there is nothing that it must say. */
export const optionalBodyOf = <Schema extends z.ZodType>(schema: Schema) => ({
  content: { 'application/json': { schema } },
});
export const noBody = optionalBodyOf(NoBody);

const problemContent = { 'application/problem+json': { schema: Problem } };
const problem = (description: string) => ({ description, content: problemContent });

/** A page for a person, or a problem where it was not a person's browser that asked as it should. */
export const pageOrProblem = (description: string) => ({
  description,
  content: { ...page(description).content, ...problemContent },
});

const SECONDS = { schema: { type: 'integer' as const } };

const PROBLEM_RESPONSES = {
  400: problem('Not of the form that was expected; `errors` names every field.'),
  401: problem('No valid credentials.'),
  403: problem('The key lacks the scope.'),
  404: problem('Not found.'),
  409: {
    ...problem('Not in the state it is in now.'),
    headers: { 'Retry-After': { ...SECONDS, description: 'Seconds, where a repeat may soon do better.' } },
  },
  410: problem('It was here, and is no longer kept.'),
  413: problem('The body is too large.'),
  415: problem('The body is not application/json.'),
  422: problem('Well-formed, and refused; `code` says why.'),
  429: {
    ...problem('Too many requests for this resource are under way. Nothing was changed by this one.'),
    headers: { 'Retry-After': { ...SECONDS, description: 'Seconds.' } },
  },
  502: problem('The provider refused, or did not answer in time; `upstream` has what it said.'),
  503: {
    ...problem('Temporal or the worker is not answering. Repeating the same request is safe.'),
    headers: { 'Retry-After': { ...SECONDS, description: 'Seconds.' } },
  },
} as const;
type ProblemStatus = keyof typeof PROBLEM_RESPONSES;

/** Thrown and not returned, so handlers are not typed by them. */
function responsesOf(statuses: readonly ProblemStatus[]): object {
  const picked: Partial<Record<ProblemStatus, (typeof PROBLEM_RESPONSES)[ProblemStatus]>> = {};
  for (const status of statuses) picked[status] = PROBLEM_RESPONSES[status];
  return picked;
}
