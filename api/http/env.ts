// What middleware and handlers know of a request. Apart from its neighbours, as errors.ts and contract.ts both build on it.
import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { RequestIdVariables } from 'hono/request-id';
import type { ApiKey } from './api-keys.js';
import type { ProblemCode } from './problems/codes.js';

export interface Env {
  /** Node's own request and response. */
  Bindings: HttpBindings;
  Variables: RequestIdVariables & {
    /** The code of the problem that was answered, for the log and the counters. */
    problem?: ProblemCode;
    /** The provider's own id of a verified webhook, for the log. */
    providerRequestId?: string;
    /** The key that the caller was identified by, if any; its scopes have not been checked yet. */
    apiKey?: ApiKey;
    /** The caller's stable name, whichever of its keys it used; set on every route whose contract asks for a scope. */
    principal: string;
    /** Personal values of the resource that its answer does not show by itself: masked in its texts. */
    personalValues?: readonly string[];
  };
}
export type Router = OpenAPIHono<Env>;
