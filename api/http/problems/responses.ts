// The problem answers of the OpenAPI document, by status.
import { STATUS_CODES } from 'node:http';
import { Problem } from './answer.schema.js';

export const problemContent = { 'application/problem+json': { schema: Problem } };
const problem = (description: string) => ({ description, content: problemContent });

const retryAfter = (description: string) => ({
  headers: { 'Retry-After': { schema: { type: 'integer' as const }, description } },
});

const PROBLEM_RESPONSES = {
  400: problem(
    'The request is malformed. `errors` lists every invalid field: correct them, and send it again.',
  ),
  401: problem(
    'The API key is missing or invalid: send it as `authorization: Bearer <key>`. For a webhook of the provider: its signature is not valid.',
  ),
  403: problem(
    'The API key lacks the required scope, or may not use this connection: ask your operator for another key. Or another principal must approve the request (`approval_required`, `approval_given`).',
  ),
  404: problem('The resource does not exist, or the API key may not see its connection.'),
  409: {
    ...problem(
      'The request conflicts with the current state of the resource. `code` and `detail` state what to do.',
    ),
    ...retryAfter('Seconds to wait before a retry. It is present only if a retry may succeed.'),
  },
  410: problem('The resource existed, but its data is no longer stored.'),
  413: problem('The body is too large. `detail` states the limit.'),
  415: problem('The content type is not `application/json`.'),
  422: problem('The request is well-formed but refused. `code` states the reason. Nothing changed.'),
  429: {
    ...problem(
      'Too many requests came from this caller, for this resource, or for Temporal. This request changed nothing.',
    ),
    ...retryAfter('Seconds to wait before a retry.'),
  },
  502: problem(
    'The provider refused the request or did not answer in time. `upstream` contains its response, if any.',
  ),
  503: {
    ...problem(
      'Temporal, the worker or the records database did not answer in time. It is safe to repeat the same request.',
    ),
    ...retryAfter('Seconds to wait before a retry.'),
  },
} as const;
export type ProblemStatus = keyof typeof PROBLEM_RESPONSES;

/** Typed as `object`, because handlers throw problems and do not return them. */
export function responsesOf(statuses: readonly ProblemStatus[]): object {
  const picked: Partial<Record<ProblemStatus, (typeof PROBLEM_RESPONSES)[ProblemStatus]>> = {};
  for (const status of statuses) picked[status] = PROBLEM_RESPONSES[status];
  return picked;
}

/** The name of a problem answer in the document: `BadRequest` for 400. Undefined for any other answer. */
export function nameOfProblem(status: string): string | undefined {
  return status in PROBLEM_RESPONSES ? STATUS_CODES[status]?.replaceAll(/\W/g, '') : undefined;
}
