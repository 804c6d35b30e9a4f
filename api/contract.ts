// Words that every route's contract shares: answers, problems, the key it needs.
import type { z } from 'zod';
import { NoBody } from '../domain/action.schema.js';
import { Problem } from './schemas/problem.schema.js';

export const json = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { 'application/json': { schema } },
});

/** For a person's browser. */
export const page = (description: string) => ({ description, content: { 'text/html': { schema: HTML } } });
const HTML = { type: 'string' as const };

const PROBLEM = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: Problem } },
});

const DESCRIPTIONS = {
  400: PROBLEM('Not of the form that was expected; `errors` names every field.'),
  401: PROBLEM('No valid credentials.'),
  403: PROBLEM('The key lacks the scope.'),
  404: PROBLEM('There is no such thing.'),
  409: PROBLEM('Not in the state it is in now.'),
  410: PROBLEM('It was here, and is no longer kept.'),
  413: PROBLEM('The body is too large.'),
  415: PROBLEM('The body is not application/json.'),
  422: PROBLEM('Well-formed, and refused; `code` says why.'),
  502: PROBLEM('The provider refused, or did not answer in time; `upstream` has what it said.'),
  503: {
    ...PROBLEM('Temporal or the worker is not answering. Repeating the same request is safe.'),
    headers: { 'Retry-After': { schema: { type: 'integer' as const }, description: 'Seconds.' } },
  },
} as const;
type ProblemStatus = keyof typeof DESCRIPTIONS;

/** The problems that a route may answer, for its `responses`. */
export function problems<const Statuses extends readonly ProblemStatus[]>(...statuses: Statuses) {
  const picked: Partial<Record<ProblemStatus, (typeof DESCRIPTIONS)[ProblemStatus]>> = {};
  for (const status of statuses) picked[status] = DESCRIPTIONS[status];
  return picked;
}

export const needsKey = (scope: 'read' | 'write' | 'operate') => ({
  security: [{ apiKey: [] }],
  'x-scope': scope,
});

/** A body that may be left out, as there is nothing that it must say. */
export const optionalBody = { content: { 'application/json': { schema: NoBody } } };

export const bodyOf = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true,
  content: { 'application/json': { schema } },
});
