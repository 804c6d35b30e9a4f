// Calls the API's endpoints within this process, without HTTP, with the rights of a signed-in person. So scopes, connections, masking, validation,
// dual control and the audit log are those of the API, and the console has no rules of its own.
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { ApiKey } from '../http/api-keys.js';
import type { Endpoint } from '../http/contract.js';
import type { ApiDependencies } from '../http/dependencies.js';
import type { Env, Router } from '../http/env.js';
import type { ProblemCode } from '../http/problems/codes.js';
import { ApiError, answerError, answerProblem } from '../http/problems/errors.js';
import { refuseInvalid } from '../http/problems/validation.js';

/** What an endpoint refused, as `application/problem+json` has it. */
export interface Problem {
  status: number;
  code: ProblemCode;
  title: string;
  detail: string;
  errors?: readonly { pointer?: string; parameter?: string; header?: string; detail: string }[];
}

export type Answered<Answer> = { answer: Answer; problem?: never } | { answer?: never; problem: Problem };

export interface OwnApi {
  /** Personal data is masked unless the key has the scope `personal`, also for operators. */
  read: <Answer>(path: string) => Promise<Answered<Answer>>;
  /** Reads a file as the API streams it. Personal data is masked as in `read`. */
  open: (path: string, accept: string) => Promise<Answered<Response>>;
  /** Sends a command as an API client with this key would. */
  send: <Answer>(
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answered<Answer>>;
}

interface Caller {
  apiKey: ApiKey;
  requestId: string;
}

/** @returns a function that makes the API of one caller. */
export function createOwnApi(endpoints: readonly Endpoint[], dependencies: ApiDependencies) {
  const callers = new WeakMap<Request, Caller>();
  const app = routerOf(endpoints, dependencies, callers);
  return (c: Context<Env>, key: ApiKey): OwnApi => {
    const respond = async (apiKey: ApiKey, path: string, init: RequestInit) => {
      const request = new Request(new URL(path, 'http://console'), init);
      callers.set(request, { apiKey, requestId: c.get('requestId') });
      // With the connection of the person, so that a long answer can cut it off.
      return app.fetch(request, c.env);
    };
    const call = async <Answer>(apiKey: ApiKey, path: string, init: RequestInit) =>
      answeredIn<Answer>(await respond(apiKey, path, init));
    return {
      read: (path) => call(readerOf(key), path, {}),
      open: async (path, accept) => {
        // A person who leaves frees the place of the answer.
        const { signal } = c.req.raw;
        const response = await respond(readerOf(key), path, { headers: { accept }, signal });
        return response.ok ? { answer: response } : { problem: (await response.json()) as Problem };
      },
      send: (path, body, headers = {}) =>
        call(key, path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        }),
    };
  };
}

/** Operators see accounts through the API. The console shows them only to keys that also have `personal`. */
const readerOf = (key: ApiKey): ApiKey =>
  key.scopes.includes('personal')
    ? key
    : { ...key, scopes: key.scopes.filter((scope) => scope !== 'operate' && scope !== 'decode') };

function routerOf(
  endpoints: readonly Endpoint[],
  dependencies: ApiDependencies,
  callers: WeakMap<Request, Caller>,
): Router {
  const app = new OpenAPIHono<Env>({ defaultHook: refuseInvalid });
  app.use(
    createMiddleware<Env>(async (c, next) => {
      const caller = callers.get(c.req.raw);
      if (caller === undefined) throw new Error('expected a call of the console');
      c.set('apiKey', caller.apiKey);
      c.set('requestId', caller.requestId);
      await next();
    }),
  );
  app.onError(answerError(dependencies.log));
  app.notFound((c) => answerProblem(c, new ApiError('not_found', 'Expected a path of the API.')));
  // Endpoints without a scope are for strangers: webhooks, pages of consents, health checks.
  for (const { scope, register } of endpoints) if (scope !== undefined) register(app, dependencies);
  return app;
}

/** The endpoints of this process answer by their own contracts, so the answer is not parsed again. */
async function answeredIn<Answer>(response: Response): Promise<Answered<Answer>> {
  const content: unknown = await response.json();
  return response.ok ? { answer: content as Answer } : { problem: content as Problem };
}
