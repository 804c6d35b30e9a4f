// The bridge: receives the provider's webhooks. We verify before we parse, and reply only after Temporal has stored the events.
// The provider treats any response as final (docs/provider.md#webhooks), so an unstored webhook gets none.
import type { Context, MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import {
  NotAnEnvelope,
  readNotifications,
  type Notification,
  type Unproven,
} from '../../../payments-api/webhook.js';
import { traceOf, type Logger } from '../../../telemetry/logger.js';
import { assertJsonType } from '../../http/body.js';
import { bodyOf, contract, json, rawEndpoint } from '../../http/contract.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { ApiError } from '../../http/problems/errors.js';
import { PROBLEMS } from '../../http/problems/codes.js';
import { Delivered, Envelope } from '../operations/bodies.schema.js';
import { WebhookParams } from '../../http/parameters.schema.js';
import { dropConnection } from '../../http/drop-connection.js';
import { createStore, overloaded, type Received } from './store-events.js';

/** The signature does not cover headers, so we validate the request id before we log it. */
const LOGGABLE_ID = /^[\w-]{1,64}$/;

const bridge = {
  method: 'post',
  access: 'signed',
  maxBodyBytes: 1024 * 1024,
  answers: { 200: json('The events are stored in Temporal.', Delivered) },
  problems: [503],
} as const;

const ofAny = contract({
  ...bridge,
  tags: ['bridge'],
  path: '/webhooks',
  connection: 'event',
  operationId: 'receiveWebhook',
  summary: 'Receive a signed webhook of the provider',
  description:
    'The provider calls this; register the address `https://<your host>/webhooks` there. ' +
    'The API verifies the signature, and answers only after Temporal has stored the events; it handles them afterwards. ' +
    'A repeat changes nothing: its events are counted as `duplicates`. ' +
    'If the events cannot be stored, the connection is closed without an answer by default, because the provider sends a webhook again only then.',
  task: 'deployment.md#send-webhooks-to-the-api',
  request: { body: bodyOf(Envelope) },
});
const ofConnection = contract({
  ...bridge,
  problems: [404, 503],
  tags: ['bridge'],
  path: '/webhooks/{connection}',
  connection: 'path',
  operationId: 'receiveWebhookOfConnection',
  summary: 'Receive a signed webhook for a connection, which is used for unknown resources',
  description:
    'The provider calls this if a webhook is registered for a single merchant; register the address `https://<your host>/webhooks/{connection}` there. ' +
    'It does the same as `POST /webhooks`. If an event names a resource that is unknown here, only the named connection is searched for it. ' +
    'A repeat changes nothing: its events are counted as `duplicates`. ' +
    'If the events cannot be stored, the connection is closed without an answer by default, because the provider sends a webhook again only then.',
  task: 'deployment.md#send-webhooks-to-the-api',
  request: { params: WebhookParams, body: bodyOf(Envelope) },
});

/** How many bodies above this size, or of an unstated one, we read at once: strangers can send them, too. */
const LARGE_BYTES = 64 * 1024;
const MOST_LARGE = 64;

const boundLargeBodies = (dependencies: ApiDependencies): MiddlewareHandler<Env> => {
  const unread = new Set<Context<Env>>();
  return createMiddleware<Env>(async (c, next) => {
    if (Number(c.req.header('content-length') ?? Infinity) <= LARGE_BYTES) return next();
    if (unread.size >= MOST_LARGE) return unanswered(c, overloaded(), dependencies);
    unread.add(c);
    c.set('bodyRead', () => unread.delete(c));
    await next().finally(() => unread.delete(c));
  });
};

/** Both paths share one cache of delivered events. */
export const receiveWebhook = rawEndpoint(ofAny, createReceiver, { afterAuthorisation: boundLargeBodies }, [
  ofConnection,
]);

function createReceiver(dependencies: ApiDependencies) {
  const { verify, bridge, metrics, log, clock } = dependencies;
  const store = createStore(dependencies);
  /** Verifies and reads the webhook. What it refuses, the provider need not send again. */
  async function receive(c: Context<Env>): Promise<Received> {
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    c.get('bodyRead')?.();
    const named = c.req.param('connection');
    const verdict = verify(bytes, (name) => c.req.header(name), clock.now(), named);
    if (!verdict.ok) throw forged(verdict.why);
    c.set('isOfProvider', true);
    assertJsonType(c);
    const requestId = c.req.header(bridge.requestIdHeader);
    if (requestId !== undefined && LOGGABLE_ID.test(requestId)) c.set('providerRequestId', requestId);
    if (verdict.isStale) metrics.webhooksStale.add(1);
    const receivedAt = new Date(clock.now()).toISOString();
    const reception = { receivedAt, authenticated: verdict.authenticatesBody };
    const events = read(bytes, reception).map((one) => inTheNameOf(named, verdict.connection, one));
    return { named, proven: verdict.connection, events };
  }

  return async (c: Context<Env>): Promise<Response> => {
    let received: Received | undefined;
    try {
      received = await receive(c);
      return c.json({ data: await store(received) }, 200);
    } catch (error) {
      const problem = notStored(error, c, log);
      const isForCaller = PROBLEMS[problem.code].status < 500;
      if (isForCaller && received === undefined) throw problem;
      return unanswered(c, problem, dependencies);
    }
  };
}

/** Makes the provider send a webhook again. @throws ApiError if it does so after a 503. */
function unanswered(c: Context<Env>, problem: ApiError, { bridge }: ApiDependencies): Response {
  if (bridge.unavailable === 'close') return dropConnection(c, problem.code);
  throw PROBLEMS[problem.code].status < 500 ? overloaded() : problem;
}

/** Adds the named connection. If the resource is on another one, the fact needs a look-up (workflows/resource/state.ts). */
function inTheNameOf(
  named: string | undefined,
  proven: string | undefined,
  notification: Notification,
): Notification {
  if (named === undefined) return notification;
  const fact = { ...notification.fact, namedConnectionId: named };
  return { ...notification, fact: proven === undefined ? fact : { ...fact, provenConnectionId: proven } };
}

/** Converts any error to a problem, so that the provider never treats an unstored event as delivered. */
function notStored(error: unknown, c: Context<Env>, log: Logger): ApiError {
  if (error instanceof ApiError) return error;
  log.error('notification not stored', { request_id: c.get('requestId'), ...traceOf(error) });
  return new ApiError('temporal_unavailable', 'The notification was not stored. Send it again.', {
    cause: error,
  });
}

const forged = (why: Unproven): ApiError =>
  new ApiError(`webhook_signature_${why}`, 'Expected a valid signature by one of the shared secrets.');

function read(bytes: Uint8Array, receipt: { receivedAt: string; authenticated: boolean }): Notification[] {
  try {
    return readNotifications(bytes, receipt);
  } catch (error) {
    if (!(error instanceof NotAnEnvelope)) throw error;
    throw new ApiError('not_an_envelope', 'Expected a JSON object whose `data` is an object or a list.', {
      cause: error,
    });
  }
}
