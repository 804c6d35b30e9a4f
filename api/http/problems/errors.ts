// The one exit for whatever goes wrong: problem+json (RFC 9457) with a stable code. A 500 says nothing of our insides.
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { traceOf } from '../../../telemetry/logger.js';
import type { Logger } from '../../../telemetry/logger.js';
import type { Env } from '../env.js';
import { PROBLEMS } from './codes.js';
import type { FieldProblem, ProblemCode } from './codes.js';

/** What the provider answered, where it was the provider that refused. */
export interface Upstream {
  /** Its HTTP status. */
  status: number;
  codes: readonly string[];
  /** Whether the same request may do better later. */
  retryable: boolean;
}

/** By which rule of the agreement's terms a payment was refused, and from when on the same request may pass. */
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
  /** The version of the provider's API by which the request was judged. */
  providerVersion?: string | undefined;
  cause?: unknown;
}

/** A refusal that is answered to the caller. The detail says what was expected; it never holds a secret. */
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

/** @param what with its article: "an agreement". */
export const notFound = (what: string): ApiError =>
  new ApiError('not_found', `Expected ${what} that exists.`);

/** What was read of a resource that a path names. @throws ApiError `not_found` */
export function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw notFound(what);
  return value;
}

/** Answers whatever a handler threw. What was not foreseen is logged, with the places it passed. */
export const answerError =
  (log: Logger) =>
  (error: Error, c: Context<Env>): Response => {
    const apiError = asApiError(error);
    if (apiError.code === 'internal')
      log.error('unforeseen error', { request_id: c.get('requestId'), ...traceOf(error) });
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

/** What Hono itself refuses is a refusal of ours; everything else that we did not throw is `internal`. */
function asApiError(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HTTPException && error.status === 400)
    return new ApiError('malformed_json', 'Expected a body of JSON.');
  if (error instanceof HTTPException && error.status === 415) return notJson();
  return new ApiError('internal', 'Quote the request id to the operator of this service.');
}

export const notJson = (): ApiError =>
  new ApiError('unsupported_media_type', 'Expected a body with the content type application/json.');
