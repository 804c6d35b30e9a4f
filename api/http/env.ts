// The context of a request, shared by middleware and handlers.
import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { RequestIdVariables } from 'hono/request-id';
import type { AuditEvent } from '../../records/audit.js';
import type { ApiKey } from './api-keys.js';
import type { ProblemCode } from './problems/codes.js';

export interface Env {
  Bindings: HttpBindings;
  Variables: RequestIdVariables & {
    /** The code of the returned problem, for the log and the metrics. */
    problem?: ProblemCode;
    /** The provider's request id of a verified webhook, for the log. */
    providerRequestId?: string;
    /** Call it once the body of a webhook is read. */
    bodyRead?: () => void;
    /** Whether a webhook’s signature was valid. */
    isOfProvider?: boolean;
    /** The caller's API key, if identified. Its scopes are not checked yet. */
    apiKey?: ApiKey;
    /** The caller's stable name, the same for all its keys. Set on every route that requires a scope. */
    principal: string;
    /** Personal values to mask in texts although the response has no field for them. */
    personalValues?: readonly string[];
    /** The route has masked its answer. */
    isMasked?: true;
    /** What the audit log states about an operator's request besides its path. */
    audited?: AuditEvent['details'];
  };
}
export type Router = OpenAPIHono<Env>;
