// The schema of problems (RFC 9457), for the OpenAPI document.
import { z } from 'zod';
import { PROBLEMS, isProblemCode } from './codes.js';

const FieldProblem = z
  .object({
    pointer: z.string().optional().meta({
      description:
        'The pointer (RFC 6901) shows the place of the fault in the body. Absent if the fault is elsewhere.',
      example: '/amount',
    }),
    parameter: z.string().optional().meta({ description: 'The path or query parameter that has the fault.' }),
    header: z.string().optional().meta({ description: 'The header that has the fault.' }),
    detail: z.string().meta({ description: 'Says what the API expected there.' }),
  })
  .meta({ id: 'FieldProblem' });

const Judgement = z
  .object({
    rule: z.string().meta({
      description: 'Names the rule that refuses the payment. It equals `code`.',
      example: 'too_many_in_period',
    }),
    limit: z
      .union([z.string(), z.number()])
      .nullable()
      .meta({ description: 'What the rule allows. Null if it has no limit.' }),
    met: z
      .union([z.string(), z.number()])
      .nullable()
      .meta({ description: 'What the payment would have. Null if the rule compares no value.' }),
    passes_from: z.string().nullable().meta({
      format: 'date-time',
      description: 'The earliest time at which the same request may pass. Null if unknown.',
    }),
  })
  .meta({ id: 'Judgement', description: 'The rule of the agreement’s terms that refuses a payment.' });

export const Problem = z
  .object({
    type: z.string().meta({ example: 'urn:payto-agreements:problem:invalid_request' }),
    title: z.string().meta({ description: 'Says in words what `code` means.' }),
    status: z.int().meta({ description: 'The HTTP status of the answer, repeated.' }),
    code: z
      .enum(Object.keys(PROBLEMS).filter(isProblemCode))
      .meta({ description: 'Names the problem. It is stable: match on it, and not on texts.' }),
    detail: z.string().meta({ description: 'Says what happened with this request, and what to do.' }),
    request_id: z.string().meta({
      description: 'Names the request, as the header `x-request-id` does. Give it to your operator.',
    }),
    errors: z
      .array(FieldProblem)
      .optional()
      .meta({ description: 'Names each invalid field and parameter. Absent if none is.' }),
    upstream: z
      .object({
        status: z.int(),
        codes: z.array(z.string()).meta({ description: 'Codes that the provider gave.' }),
        retryable: z.boolean().meta({ description: 'Whether the same request may succeed later.' }),
      })
      .optional()
      .meta({ description: 'The provider’s response, if the provider refused the request or failed.' }),
    judgement: Judgement.optional(),
    provider_version: z.string().optional().meta({
      description: 'The version of the provider’s API whose rules refuse the request.',
      example: '20260901',
    }),
  })
  .meta({ id: 'Problem' });
