// Error responses, as errors.
import type { Problem } from './generated/types.gen.js';

/** An error response. Match on `code`, which is undefined if the API itself did not send the response. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  constructor(
    readonly status: number,
    readonly code: Problem['code'] | undefined,
    readonly requestId: string | undefined,
    message: string,
    /** The body of the response. */
    override readonly cause: unknown,
  ) {
    super(message);
  }
}

interface Answered<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/**
 * Returns the data of a successful call.
 * @throws ApiProblem for any other response.
 */
export async function answerOf<Data>(call: Promise<Answered<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (data !== undefined) return data;
  throw problemOf(response, error);
}

/** The error for a response whose content is a problem, or of another server. */
export function problemOf(response: Response, content: unknown): ApiProblem {
  const problem: Partial<Problem> = isProblem(content) ? content : {};
  const { code, detail = 'expected a response of the API', request_id: requestId } = problem;
  const met =
    `${response.status} ${code ?? (typeof content === 'string' ? content.slice(0, 400) : '')}`.trim();
  return new ApiProblem(
    response.status,
    code,
    requestId,
    `${response.url} returned ${met}: ${detail}`,
    content,
  );
}

const isProblem = (content: unknown): content is Problem =>
  typeof content === 'object' && content !== null && 'code' in content && 'request_id' in content;
