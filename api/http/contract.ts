// The contract of a route: one value that registers the route, authorises callers, limits the body and documents it all.
import type { OpenAPIRoute, RouteConfig } from '@hono/zod-openapi';
import type { Handler, MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import { NoBody } from '../../domain/agreement/action.schema.js';
import { auditUses } from './audit.js';
import { limitBody, requireJson } from './body.js';
import { isDecision } from './decisions.js';
import { bindToConnections, type ConnectionSource } from './connection-binding.js';
import type { ApiDependencies } from './dependencies.js';
import type { Env, Router } from './env.js';
import { SCOPES, type Scope } from './api-keys.js';
import { byApiKey, requireScope } from './identify.js';
import { maskPersonal } from './masking.js';
import { shortenForWriters } from './short-answer.js';
import { limitWaits } from './wait-limiter.js';
import { NoQuery } from './parameters.schema.js';
import { problemContent, responsesOf, type ProblemStatus } from './problems/responses.js';

/**
 * The required scope. `public` needs none. `probe` is public and has no rate, because a refused health check could restart the process.
 * `signed` is for the provider: the handler verifies its signature. `session` is for browsers: the page checks its cookie, or shows a sign-in form.
 */
export type Access = Scope | 'public' | 'probe' | 'signed' | 'session';

/** The sections of the document. */
export type Tag =
  | 'agreements'
  | 'payments'
  | 'clients'
  | 'counterparties'
  | 'onboardings'
  | 'batches'
  | 'connections'
  | 'float accounts'
  | 'settlement'
  | 'events'
  | 'webhooks'
  | 'bridge'
  | 'operations';

type Described = Omit<RouteConfig, 'responses' | 'security' | 'middleware' | 'hide'>;
interface Contract extends Described {
  operationId: string;
  tags: [Tag];
  summary: string;
  /** Its purpose, its effect, what to do next, and what a repeat does. The sentence about its permission follows from the access. */
  description: string;
  access: Access;
  connection: ConnectionSource;
  maxBodyBytes?: number;
  /** Each use is in the audit log, also without a reason in the body. */
  isAudited?: true;
  /** The section of docs/ that explains the task, for example `payments.md#plan-payments`. */
  task?: `${string}.md#${string}`;
  answers: RouteConfig['responses'];
  /** Problem statuses beyond those that follow from the access and the request. */
  problems?: readonly ProblemStatus[];
}

/** Adds the security, problems and body checks that follow from the access and the request. */
export function contract<const C extends Contract>(stated: C) {
  const {
    access,
    connection,
    maxBodyBytes = 32 * 1024,
    isAudited: isAlways,
    task,
    answers,
    problems = [],
    ...described
  } = stated;
  const scope = SCOPES.find((name) => name === access);
  const route = {
    // Temporal's UI adds parameters of its own to /codec.
    ...(described.path.startsWith('/v1/') ? withStatedQuery(described) : described),
    description: [described.description, permissionOf(access), ...taskIn(task)].join(' '),
    ...(scope === undefined ? { security: [] } : { security: [{ apiKey: [] }], 'x-scope': scope }),
    ...(connection === 'none' ? {} : { 'x-connection': connection }),
    responses: { ...answers, ...responsesOf([...problems, ...followingFrom(stated)]) },
  };
  const authorise = scope === undefined ? [] : [requireScope(scope)];
  const checkBody = bodyChecks(stated, maxBodyBytes);
  const isAudited = isAlways === true || OPERATORS.has(access) || isDecision(stated.request);
  return { access, scope, connection, route, authorise, checkBody, isAudited };
}

/** Refuses parameters that the contract does not state, because an ignored parameter would mislead the caller. */
function withStatedQuery<Stated extends { request?: RouteConfig['request'] | undefined }>(
  stated: Stated,
): Stated;
function withStatedQuery(stated: { request?: RouteConfig['request'] | undefined }): object {
  return { ...stated, request: { query: NoQuery, ...stated.request } };
}

/** A link to the section of the page. Not `externalDocs`, because the viewer at /docs opens only absolute addresses of it. */
function taskIn(task: Contract['task']): string[] {
  const [page = '', anchor = ''] = task?.split('.md#') ?? [];
  return task === undefined
    ? []
    : [`Task: [${anchor.replaceAll('-', ' ').replace(/\bapi\b/, 'API')}](/docs/${page}#${anchor}).`];
}

function permissionOf(access: Access): string {
  if (access === 'signed') return 'Requires no API key: the signature of the body proves its sender.';
  if (access === 'public' || access === 'probe') return 'Requires no API key.';
  if (access === 'session') return 'Requires that a person has signed in.';
  return `Requires the scope \`${access}\`.`;
}

export interface Endpoint {
  access: Access;
  /** The scope that the caller's key needs. Undefined if no key is needed. */
  scope: Scope | undefined;
  /** Usually one route. Several if one handler serves several paths. */
  routes: readonly (RouteConfig & { connection: ConnectionSource })[];
  register: (router: Router, dependencies: ApiDependencies) => void;
}
interface Contracted<Route extends RouteConfig> {
  access: Access;
  scope: Scope | undefined;
  connection: ConnectionSource;
  route: Route;
  /** Each use is in the audit log. */
  isAudited: boolean;
  authorise: MiddlewareHandler<Env>[];
  checkBody: MiddlewareHandler<Env>[];
}

type Middleware = (dependencies: ApiDependencies) => MiddlewareHandler<Env>;
/** Middleware of a route beyond its contract. */
interface Extra {
  /** Runs first, for every method, because browsers send a CORS preflight with OPTIONS. */
  everyMethod?: Middleware[];
  /** Identifies the caller. The default accepts only an API key in the Authorization header. */
  identify?: Middleware;
  beforeAuthorisation?: Middleware;
  afterAuthorisation?: Middleware;
  /** The longest value of a path parameter of a raw route. Default: that of a uid. */
  longestParameter?: number;
}

/** Each use of these is in the audit log, as is each decision (decisions.ts). */
const OPERATORS: ReadonlySet<Access> = new Set(['operate', 'stop', 'decode']);

function middlewareOf(
  { access, scope, connection, authorise, checkBody, route, isAudited }: Contracted<RouteConfig>,
  { identify = byApiKey, beforeAuthorisation, afterAuthorisation }: Extra,
  dependencies: ApiDependencies,
): MiddlewareHandler<Env>[] {
  const made = (middleware: Middleware | undefined) => (middleware ? [middleware(dependencies)] : []);
  const { rates, waits } = dependencies;
  // Webhooks are never limited by rate, because the provider does not repeat a refused one.
  const strangers = access === 'public' || access === 'session' ? [rates.ofAddress] : [];
  const shortened = scope === 'write' ? [shortenForWriters] : [];
  const identified =
    scope === undefined
      ? strangers
      : [identify(dependencies), rates.ofKey, limitWaits(waits), maskPersonal, ...shortened];
  const { operationId = '', method } = route;
  const audited = isAudited ? [auditUses(dependencies.audit, operationId, method)] : [];
  return [
    ...audited,
    ...made(beforeAuthorisation),
    ...identified,
    ...authorise,
    ...made(afterAuthorisation),
    ...checkBody,
    ...(scope === undefined ? [] : [bindToConnections(connection, dependencies)]),
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

/** A route whose handler reads the raw request, for example to verify its bytes or to serve a browser. */
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
      const pattern = path.replaceAll(/\{(\w+)\}/g, `:$1{[\\w~.-]{1,${extra.longestParameter ?? 64}}}`);
      registerForEveryMethod(router, pattern, extra, dependencies);
      // A webhook's address may be registered with a slash at its end, and the provider does not repeat what we refuse.
      const patterns = one.access === 'signed' ? [pattern, `${pattern}/`] : [pattern];
      router.on(method.toUpperCase(), patterns, ...middlewareOf(one, extra, dependencies), handler);
    }
  },
});

function bodyChecks({ access, request }: Contract, maxBytes: number): MiddlewareHandler<Env>[] {
  if (request?.body === undefined) return [];
  if (!isJson(request.body)) return [limitBody(maxBytes)];
  // A signed body must be verified before its type or content is judged.
  if (access === 'signed') return [limitBody(maxBytes)];
  return requireJson(maxBytes, { isOptional: request.body.required !== true });
}

/** All other accesses need a key. */
const PROBLEMS_OF: ReadonlyMap<Access, ProblemStatus[]> = new Map<Access, ProblemStatus[]>([
  ['public', [429]],
  ['session', [429]],
  ['probe', []],
  ['signed', [401]],
]);

function followingFrom({ access, request }: Contract): ProblemStatus[] {
  const ofKey = PROBLEMS_OF.get(access) ?? [401, 403, 429];
  const ofRequest: ProblemStatus[] = PROBLEMS_OF.has(access) && access !== 'signed' ? [] : [400];
  const ofBody: ProblemStatus[] =
    request?.body === undefined ? [] : isJson(request.body) ? [413, 415] : [413];
  return [...ofKey, ...ofRequest, ...ofBody];
}

const isJson = ({ content }: { content: object }): boolean => 'application/json' in content;

/** What the contracts of all reads of one resource share. */
export const READ = { method: 'get', access: 'read', problems: [404, 410, 503] } as const;

export const json = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { 'application/json': { schema } },
});

export const RECORDED_UNTIL = 'Recorded-Until';

/** An answer from the records. */
export const recorded = <Answer extends object>(answer: Answer) => ({
  ...answer,
  headers: {
    [RECORDED_UNTIL]: {
      schema: { type: 'string' as const, format: 'date-time' },
      description: 'As `recorded_until`.',
    },
  },
});

/** An HTML response for a browser. */
export const page = (description: string) => ({ description, content: { 'text/html': { schema: HTML } } });
const HTML = { type: 'string' as const };

export const bodyOf = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true as const,
  content: { 'application/json': { schema } },
});

/** A body without required fields, which callers may omit. */
export const optionalBodyOf = <Schema extends z.ZodType>(schema: Schema) => ({
  content: { 'application/json': { schema } },
});
export const noBody = optionalBodyOf(NoBody);

/** An HTML page for a person, or a problem if the request did not come from our own page. */
export const pageOrProblem = (description: string) => ({
  description,
  content: { ...page(description).content, ...problemContent },
});
