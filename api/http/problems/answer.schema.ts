// The schema of problems (RFC 9457), for the OpenAPI document.
import { z } from 'zod';
import { PROBLEMS, isProblemCode } from './codes.js';

const FieldProblem = z
  .object({
    pointer: z
      .string()
      .optional()
      .meta({ description: 'A JSON pointer into the body (RFC 6901).', example: '/amount' }),
    parameter: z.string().optional().meta({ description: 'The name of a path or query parameter.' }),
    header: z.string().optional().meta({ description: 'The name of a header.' }),
    detail: z.string(),
  })
  .meta({ id: 'FieldProblem' });

export const Judgement = z
  .object({
    rule: z.string().meta({ description: 'The rule, equal to `code`.', example: 'too_many_in_period' }),
    limit: z.union([z.string(), z.number()]).nullable().meta({ description: 'The limit of the rule.' }),
    met: z.union([z.string(), z.number()]).nullable().meta({ description: 'The actual value.' }),
    passes_from: z.string().nullable().meta({
      format: 'date-time',
      description: 'The earliest time at which the same request may pass. Null if unknown.',
    }),
  })
  .meta({ id: 'Judgement', description: 'The rule of the agreement’s terms that refuses a payment.' });

export const Problem = z
  .object({
    type: z.string().meta({ example: 'urn:payto-agreements:problem:invalid_request' }),
    title: z.string(),
    status: z.int(),
    code: z
      .enum(Object.keys(PROBLEMS).filter(isProblemCode))
      .meta({ description: 'Stable code to match on.' }),
    detail: z.string(),
    request_id: z.string().meta({ description: 'The id of the request, also in the header `x-request-id`.' }),
    errors: z.array(FieldProblem).optional().meta({ description: 'All invalid fields and parameters.' }),
    upstream: z
      .object({ status: z.int(), codes: z.array(z.string()), retryable: z.boolean() })
      .optional()
      .meta({ description: 'The provider’s response, if the provider refused the request or failed.' }),
    judgement: Judgement.optional(),
    provider_version: z.string().optional().meta({
      description: 'The version of the provider’s API whose rules refuse the request.',
      example: '20260901',
    }),
  })
  .meta({ id: 'Problem' });
