// A typed client of the API for TypeScript backends, with all paths, parameters and bodies of /openapi.json.
import { send, type Calls, type UntypedOptions } from './calls.js';
import { followEvents, type EventsOptions, type ReceivedEvent } from './follow-events.js';
import type { Operations } from './generated/operations.js';
import type { DryRun, Payment } from './generated/types.gen.js';

export { ApiProblem, answerOf } from './problem.js';
export { WebhookError, verifyWebhook } from './verify-webhook.js';
export type { EventFilter, EventOf, PaytoEvent, TestEvent, ThinEvent, WebhookEvent } from './event-types.js';
export type { EventsOptions, ReceivedEvent } from './follow-events.js';
export { DOCUMENT_VERSION, type Operations } from './generated/operations.js';
export type * from './generated/types.gen.js';

export type PaytoClient = Calls & {
  /** Follows the events: `for await (const { event, cursor } of client.events({ cursor: stored }))`. See `EventsOptions`. */
  events: (options?: EventsOptions) => AsyncGenerator<ReceivedEvent, void, undefined>;
};

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
    events: (options?: EventsOptions) => followEvents({ url, apiKey, fetch }, options),
  };
  // The document promises the types of the responses. The client does not check them.
  return calls as PaytoClient;
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

/**
 * Returns the payment in a response to a request without `dry_run`.
 * @throws Error for the response to a dry run.
 */
export function paymentIn(data: Payment | DryRun): Payment {
  if ('admissible' in data)
    throw new Error(`expected a payment, but the response for ${data.uid} is from a dry run`);
  return data;
}
