// Converts all issues that zod reports into field problems.
import type { Context } from 'hono';
import type { z } from 'zod';
import type { Env } from '../env.js';
import { ApiError } from './errors.js';
import { keyMissing } from '../idempotency.js';
import type { FieldProblem } from './codes.js';
import { KEY_HEADER } from '../parameters.schema.js';

/** A body of 32 KiB can cause thousands of issues. */
const MAX_ERRORS = 50;

type Validated = { target: string } & ({ success: true } | { success: false; error: z.ZodError });

/** Refuses a request that does not match the schemas of its route. */
export function refuseInvalid(result: Validated, c: Context<Env>): void {
  if (result.success) return;
  if (result.target === 'header' && isKeyMissing(result.error, c)) throw keyMissing();
  const errors = fieldProblemsOf(result.error, result.target);
  throw new ApiError('invalid_request', 'The request is invalid. `errors` lists the fields and parameters.', {
    errors,
  });
}

/** The first field problems of a failed validation. */
export const fieldProblemsOf = ({ issues }: z.ZodError, target: string): FieldProblem[] =>
  issues
    .slice(0, MAX_ERRORS)
    .flatMap(meant)
    .flatMap((issue) => problemsOf(issue, target))
    .slice(0, MAX_ERRORS);

const isKeyMissing = ({ issues }: z.ZodError, c: Context<Env>): boolean =>
  issues.some(({ path: [header] }) => header === KEY_HEADER) && c.req.header(KEY_HEADER) === undefined;

export const invalidParameter = (parameter: string, detail: string): ApiError =>
  new ApiError('invalid_request', 'The request is invalid. `errors` lists the fields and parameters.', {
    errors: [{ parameter, detail }],
  });

/** zod reports a union as one issue. If only one shape fits the fields, this returns the issues of that shape. */
function meant(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const [fitting, ...others] = issue.errors.filter((shape) => !shape.some(isOfAnotherShape));
  if (fitting === undefined || others.length > 0) return [issue];
  return fitting.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })).flatMap(meant);
}

const isOfAnotherShape = ({ code, path }: z.core.$ZodIssue): boolean =>
  path.length === 0 && (code === 'unrecognized_keys' || code === 'invalid_type');

/** zod reports unknown fields at their object. This reports each one at its own place. */
function problemsOf(issue: z.core.$ZodIssue, target: string): FieldProblem[] {
  const places =
    issue.code === 'unrecognized_keys'
      ? issue.keys.slice(0, MAX_ERRORS).map((key) => [...issue.path, key])
      : [issue.path];
  const detail = issue.code === 'unrecognized_keys' ? 'unknown field' : issue.message;
  return places.map((path) => ({ ...placeOf(path, target), detail }));
}

function placeOf(path: readonly PropertyKey[], target: string): Omit<FieldProblem, 'detail'> {
  if (target === 'json') return { pointer: pointerTo(path) };
  return target === 'header' ? { header: path.join('.') } : { parameter: path.join('.') };
}

/** A JSON pointer (RFC 6901). The empty pointer means the whole body. */
export const pointerTo = (path: readonly PropertyKey[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
