// The API as a typed client for backends in TypeScript: every path, parameter, body and answer of /openapi.json.
import createFetchClient from 'openapi-fetch';
import type { Client } from 'openapi-fetch';
import type { components, paths } from './schema.js';

export type { components, paths } from './schema.js';
export type PaytoClient = Client<paths>;
export type Problem = components['schemas']['Problem'];

export interface ClientOptions {
  /** Where the API is, such as https://payto.example. */
  url: string;
  apiKey: string;
  /** What sends the requests, to give up after a time or to sign them; the global fetch unless said otherwise. */
  fetch?: (request: Request) => Promise<Response>;
}

/** `client.GET('/v1/agreements/{uid}', { params: { path: { uid } } })` and the like; `answerOf` makes exceptions of problems. */
export function createClient({ url, apiKey, fetch = globalThis.fetch }: ClientOptions): PaytoClient {
  return createFetchClient<paths>({
    baseUrl: url,
    headers: { authorization: `Bearer ${apiKey}` },
    fetch,
  });
}

/** A call that was not answered as it should be. Match on `code`, which is absent where the answer was no problem of the API's. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  constructor(
    readonly status: number,
    readonly code: Problem['code'] | undefined,
    readonly requestId: string | undefined,
    message: string,
    /** What was answered. */
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
 * The answer of a call, without its envelope of success and problem.
 * @throws ApiProblem
 */
export async function answerOf<Data>(call: Promise<Answered<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (data !== undefined) return data;
  const problem: Partial<Problem> = isProblem(error) ? error : {};
  const { code, detail = 'expected an answer of the API', request_id: requestId } = problem;
  const met = `${response.status} ${code ?? (typeof error === 'string' ? error.slice(0, 400) : '')}`.trim();
  throw new ApiProblem(response.status, code, requestId, `${response.url} answered ${met}: ${detail}`, error);
}

const isProblem = (error: unknown): error is Problem =>
  typeof error === 'object' && error !== null && 'code' in error && 'request_id' in error;

type Payment = components['schemas']['Payment'];
type DryRun = components['schemas']['DryRun'];

/**
 * The payment that a request without `dry_run` was answered with.
 * @throws Error for what a dry run was answered with.
 */
export function paymentIn(data: Payment | DryRun): Payment {
  if ('admissible' in data) throw new Error(`expected a payment; ${data.uid} was only judged, by a dry run`);
  return data;
}
