// What every handler of the API knows of its request.
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { RequestIdVariables } from 'hono/request-id';
import type { ProblemCode } from './problems.js';

export interface Env {
  Variables: RequestIdVariables & {
    /** The code of the problem that was answered, for the log and the counters. */
    problem?: ProblemCode;
    /** Which of `API_KEYS` the caller used; set on every route under /v1. */
    apiKeyId: string;
  };
}
export type Router = OpenAPIHono<Env>;
