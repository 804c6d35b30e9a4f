// How the API says that something went wrong (RFC 9457), for the documentation.
import { z } from 'zod';
import { PROBLEMS, isProblemCode } from './codes.js';

const FieldProblem = z
  .object({
    pointer: z
      .string()
      .optional()
      .meta({ description: 'JSON pointer into the body (RFC 6901).', example: '/amount' }),
    parameter: z.string().optional().meta({ description: 'Name of a path or query parameter.' }),
    header: z.string().optional().meta({ description: 'Name of a header.' }),
    detail: z.string(),
  })
  .meta({ id: 'FieldProblem' });

export const Judgement = z
  .object({
    rule: z.string().meta({ description: 'The same as `code`.', example: 'too_many_in_period' }),
    limit: z.union([z.string(), z.number()]).nullable().meta({ description: 'What the rule allows.' }),
    met: z.union([z.string(), z.number()]).nullable().meta({ description: 'What was met instead.' }),
    passes_from: z.string().nullable().meta({
      format: 'date-time',
      description: 'The earliest moment at which the same request may pass; null where none is known.',
    }),
  })
  .meta({ id: 'Judgement', description: 'By which rule of the terms a payment is refused.' });

export const Problem = z
  .object({
    type: z.string().meta({ example: 'urn:payto-agreements:problem:invalid_request' }),
    title: z.string(),
    status: z.int(),
    code: z.enum(Object.keys(PROBLEMS).filter(isProblemCode)).meta({ description: 'Stable; match on this.' }),
    detail: z.string(),
    request_id: z.string().meta({ description: 'Also in the header x-request-id.' }),
    errors: z.array(FieldProblem).optional().meta({ description: 'Every field that is wrong.' }),
    upstream: z
      .object({ status: z.int(), codes: z.array(z.string()), retryable: z.boolean() })
      .optional()
      .meta({ description: 'What the provider answered, where it was the provider that refused.' }),
    judgement: Judgement.optional(),
    provider_version: z.string().optional().meta({
      description: 'The version of the provider’s API that would refuse the request.',
      example: '20260901',
    }),
  })
  .meta({ id: 'Problem' });
