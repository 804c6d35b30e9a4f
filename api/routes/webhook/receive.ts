// The bridge: receives the provider's webhooks. We verify before we parse, and reply only after Temporal has stored the events.
// The provider treats any response as final (docs/provider.md#webhooks), so an unstored webhook gets none.
import type { Context, MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { LRUCache } from 'lru-cache';
import { isUnknownEvent } from '../../../domain/facts/lifecycles.js';
import { NotAnEnvelope, readNotifications } from '../../../payments-api/webhook.js';
import type { Notification, Unproven } from '../../../payments-api/webhook.js';
import { traceOf } from '../../../telemetry/logger.js';
import type { Logger } from '../../../telemetry/logger.js';
import { bodyOf, contract, json, rawEndpoint } from '../../http/contract.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import type { Env } from '../../http/env.js';
import { ApiError } from '../../http/problems/errors.js';
import { PROBLEMS } from '../../http/problems/codes.js';
import { Delivered, Envelope } from '../operations/bodies.schema.js';
import { WebhookParams } from '../../http/parameters.schema.js';
import { dropConnection } from '../../http/drop-connection.js';
import { retried } from '../../http/wait.js';

/** The provider resends an event for an hour. A much later duplicate was requested by a person and passes. */
const REMEMBERED = { max: 50_000, ttl: 2 * 60 * 60 * 1000 } as const;

/** The signature does not cover headers, so we validate the request id before we log it. */
const LOGGABLE_ID = /^[\w-]{1,64}$/;

const bridge = {
  method: 'post',
  access: 'signed',
  maxBodyBytes: 64 * 1024,
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
  request: { params: WebhookParams, body: bodyOf(Envelope) },
});

const countRefusals = ({ metrics }: ApiDependencies): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    await next();
    const reason = c.get('problem');
    if (reason !== undefined) metrics.webhooksRefused.inc({ reason });
  });

/** Both paths share one cache of delivered events. */
export const receiveWebhook = rawEndpoint(ofAny, createReceiver, { beforeAuthorisation: countRefusals }, [
  ofConnection,
]);

function createReceiver(dependencies: ApiDependencies) {
  const { temporal, verify, bridge, metrics, log, clock } = dependencies;
  // Delivered events, and whether they were authenticated. Filled only after Temporal has stored the event.
  const delivered = new LRUCache<string, boolean>({ ...REMEMBERED, ttlResolution: 0, perf: clock });
  const isDelivered = (notification: Notification): boolean => {
    const wasConfirmed = delivered.get(keyOf(notification));
    return wasConfirmed === true || wasConfirmed === notification.fact.authenticated;
  };

  async function hand(notification: Notification, connection: string | undefined): Promise<void> {
    await temporal.deliver(notification, connection);
    delivered.set(keyOf(notification), notification.fact.authenticated);
    metrics.webhooksAccepted.inc({ resource: notification.resource });
    if (isUnknownEvent(notification)) metrics.webhookEventsUnknown.inc({ resource: notification.resource });
  }

  /** Resolves once Temporal has stored all events. Retries for `patienceMs`. */
  async function handAll(notifications: readonly Notification[], named: string | undefined): Promise<void> {
    const until = clock.now() + bridge.patienceMs;
    const patiently = <T>(attempt: () => Promise<T>): Promise<T> =>
      retried(attempt, { until, signal: bridge.stopping, clock });
    if (notifications.length === 0) return;
    const connection = await patiently(() => existing(dependencies, named));
    await settleAll(notifications.map((one) => patiently(() => hand(one, connection))));
  }

  async function receive(c: Context<Env>): Promise<Response> {
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    const named = c.req.param('connection');
    const verdict = verify(bytes, (name) => c.req.header(name), clock.now(), named);
    if (!verdict.ok) throw forged(verdict.why);
    const requestId = c.req.header(bridge.requestIdHeader);
    if (requestId !== undefined && LOGGABLE_ID.test(requestId)) c.set('providerRequestId', requestId);
    if (verdict.isStale) metrics.webhooksStale.inc();
    const receivedAt = new Date(clock.now()).toISOString();
    const reception = { receivedAt, authenticated: verdict.authenticatesBody };
    const received = read(bytes, reception).map((one) => inTheNameOf(named, verdict.connection, one));
    const events = new Map(received.map((notification) => [keyOf(notification), notification]));
    const fresh = [...events.values()].filter((notification) => !isDelivered(notification));
    await handAll(fresh, named);
    const duplicates = received.length - fresh.length;
    metrics.webhookDuplicates.inc(duplicates);
    return c.json({ data: { accepted: fresh.length, duplicates } }, 200);
  }

  return async (c: Context<Env>): Promise<Response> => {
    try {
      return await receive(c);
    } catch (error) {
      const problem = notStored(error, c, log);
      if (isRefusal(problem) || bridge.unavailable === '503') throw problem;
      return dropConnection(c, problem.code);
    }
  };
}

/**
 * Returns the named connection if it exists, because an event for a missing one would wait forever. Without a connection, we look
 * up an unknown resource on every connection with a consent.
 */
async function existing(
  { temporal, metrics }: ApiDependencies,
  named: string | undefined,
): Promise<string | undefined> {
  if (named === undefined || (await temporal.connections.exists(named))) return named;
  metrics.webhookConnectionsUnknown.inc();
  return undefined;
}

/** Adds the named connection. If the resource is on another one, the fact needs a look-up (workflows/entity/resource/state.ts). */
function inTheNameOf(
  named: string | undefined,
  proven: string | undefined,
  notification: Notification,
): Notification {
  if (named === undefined) return notification;
  const fact = { ...notification.fact, namedConnectionId: named };
  return { ...notification, fact: proven === undefined ? fact : { ...fact, provenConnectionId: proven } };
}

/** A client error: sending the same request again would not help. */
const isRefusal = ({ code }: ApiError): boolean => PROBLEMS[code].status < 500;

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

/** Includes type, resource and the connection that signed it, because a forged event may reuse a known id. */
const keyOf = ({ resourceType, uid, fact }: Notification): string =>
  JSON.stringify([fact.id, resourceType, uid, fact.type, fact.provenConnectionId]);

/** Waits for all deliveries, so that every stored event is recorded, then rejects with the first error. */
async function settleAll(deliveries: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(deliveries);
  await Promise.all(deliveries);
}
