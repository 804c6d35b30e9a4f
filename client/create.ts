// A typed client of the API for TypeScript backends, with all paths, parameters and bodies of /openapi.json.
import { send } from './calls.js';
import type { Calls, UntypedOptions } from './calls.js';
import type { Operations } from './generated/operations.js';
import type { DryRun, Payment, Problem } from './generated/types.gen.js';

export type { Operations } from './generated/operations.js';
export type * from './generated/types.gen.js';
export type PaytoClient = Calls;

export interface ClientOptions {
  /** The base URL of the API, such as https://payto.example. */
  url: string;
  apiKey: string;
  /** Sends the requests. Pass your own function to add a timeout, for example. Default: the global fetch. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Creates a client: `client.GET('/v1/agreements/{uid}', { params: { path: { uid } } })`. `answerOf` throws problems as errors. */
export function createClient({ url, apiKey, fetch = globalThis.fetch }: ClientOptions): PaytoClient {
  const call = (method: keyof Operations) => (path: string, options?: UntypedOptions) =>
    send({ url, apiKey, fetch }, method, path, options);
  const calls = {
    GET: call('GET'),
    POST: call('POST'),
    PUT: call('PUT'),
    PATCH: call('PATCH'),
    DELETE: call('DELETE'),
  };
  // The document promises the types of the responses. The client does not check them.
  return calls as PaytoClient;
}

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
  const problem: Partial<Problem> = isProblem(error) ? error : {};
  const { code, detail = 'expected a response of the API', request_id: requestId } = problem;
  const met = `${response.status} ${code ?? (typeof error === 'string' ? error.slice(0, 400) : '')}`.trim();
  throw new ApiProblem(response.status, code, requestId, `${response.url} returned ${met}: ${detail}`, error);
}

/**
 * The `changed_after` of the next request, from the links of a page of changes. Store it once the page is processed.
 * @throws Error for a page of another kind.
 */
export function changedAfterIn({ next = '' }: { next?: string }): string {
  const after = new URLSearchParams(next.split('?')[1]).get('changed_after');
  if (after === null) throw new Error('expected the links of a request with changed_after');
  return after;
}

const isProblem = (error: unknown): error is Problem =>
  typeof error === 'object' && error !== null && 'code' in error && 'request_id' in error;

/**
 * Returns the payment in a response to a request without `dry_run`.
 * @throws Error for the response to a dry run.
 */
export function paymentIn(data: Payment | DryRun): Payment {
  if ('admissible' in data)
    throw new Error(`expected a payment, but the response for ${data.uid} is from a dry run`);
  return data;
}
