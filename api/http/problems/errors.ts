// Returns every error as problem+json (RFC 9457) with a stable code. A 500 reveals no internals.
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { traceOf, type Logger } from '../../../telemetry/logger.js';
import type { Env } from '../env.js';
import { PROBLEMS, type FieldProblem, type ProblemCode } from './codes.js';

/** The provider's response, if the provider refused. */
export interface Upstream {
  /** The provider's HTTP status. */
  status: number;
  codes: readonly string[];
  /** Whether the same request may succeed later. */
  retryable: boolean;
}

/** The rule of the agreement's terms that refused a payment, and the earliest time at which the request may pass. */
export interface Judgement {
  rule: string;
  limit: string | number | null;
  met: string | number | null;
  passes_from: string | null;
}

interface ProblemParts {
  errors?: readonly FieldProblem[];
  headers?: Readonly<Record<string, string>>;
  upstream?: Upstream | undefined;
  judgement?: Judgement | undefined;
  /** The version of the provider's API that we judged the request by. */
  providerVersion?: string | undefined;
  cause?: unknown;
}

/** A refusal for the caller. The detail states what was wrong and expected, and never contains a secret. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly errors: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;
  readonly upstream: Upstream | undefined;
  readonly judgement: Judgement | undefined;
  readonly providerVersion: string | undefined;
  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    { errors = [], headers = {}, upstream, judgement, providerVersion, cause }: ProblemParts = {},
  ) {
    super(detail, { cause });
    this.errors = errors;
    this.headers = headers;
    this.upstream = upstream;
    this.judgement = judgement;
    this.providerVersion = providerVersion;
  }
}

/** @param what the noun with its article, such as "an agreement". */
export const notFound = (what: string): ApiError =>
  new ApiError('not_found', `Expected ${what} that exists. Check the uid or id in the path.`);

/** Returns the value. @throws ApiError `not_found` if it is undefined. */
export function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw notFound(what);
  return value;
}

/** Converts a thrown error into a response, and logs unexpected errors with their trace. */
export const answerError =
  (log: Logger) =>
  (error: Error, c: Context<Env>): Response => {
    const apiError = asApiError(error);
    if (apiError.code === 'internal')
      log.error('unexpected error', { request_id: c.get('requestId'), ...traceOf(error) });
    return answerProblem(c, apiError);
  };

export function answerProblem(c: Context<Env>, error: ApiError): Response {
  const problem = PROBLEMS[error.code];
  c.set('problem', error.code);
  const retryAfter =
    'retryAfterSeconds' in problem ? { 'retry-after': String(problem.retryAfterSeconds) } : {};
  const body = {
    type: `urn:payto-agreements:problem:${error.code}`,
    title: problem.title,
    status: problem.status,
    code: error.code,
    detail: error.detail,
    request_id: c.get('requestId'),
    ...(error.errors.length > 0 ? { errors: error.errors } : {}),
    ...(error.upstream === undefined ? {} : { upstream: error.upstream }),
    ...(error.judgement === undefined ? {} : { judgement: error.judgement }),
    ...(error.providerVersion === undefined ? {} : { provider_version: error.providerVersion }),
  };
  return c.body(JSON.stringify(body), problem.status, {
    ...retryAfter,
    ...error.headers,
    'content-type': 'application/problem+json',
  });
}

/** Maps Hono's own refusals to our codes, and all unexpected errors to `internal`. */
function asApiError(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HTTPException && error.status === 400)
    return new ApiError('malformed_json', 'The body is not well-formed. Expected JSON.');
  if (error instanceof HTTPException && error.status === 415) return notJson();
  return new ApiError('internal', 'Unexpected error. Report the request id to the operator of this service.');
}

export const notJson = (): ApiError =>
  new ApiError('unsupported_media_type', 'Send the body with the content type application/json.');
