// The bridge: everything that the provider pushes. Nothing is parsed before it is verified, nothing answered before it is kept:
// the provider takes any answer for the end (docs/provider.md#webhooks), so what was not kept has none.
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

/** The provider repeats an event for an hour; what comes again much later was asked for by a person, and passes. */
const REMEMBERED = { max: 50_000, ttl: 2 * 60 * 60 * 1000 } as const;

/** The signature does not cover the headers, so a request id is checked before it is logged. */
const LOGGABLE_ID = /^[\w-]{1,64}$/;

const bridge = {
  method: 'post',
  access: 'signed',
  maxBodyBytes: 64 * 1024,
  answers: { 200: json('Temporal has it, now or from before.', Delivered) },
  problems: [503],
} as const;

const ofAny = contract({
  ...bridge,
  tags: ['bridge'],
  path: '/webhooks',
  connection: 'event',
  operationId: 'receiveWebhook',
  summary: "The provider's notifications, signed",
  request: { body: bodyOf(Envelope) },
});
const ofConnection = contract({
  ...bridge,
  problems: [404, 503],
  tags: ['bridge'],
  path: '/webhooks/{connection}',
  connection: 'path',
  operationId: 'receiveWebhookOfConnection',
  summary: 'The same, saying whose account an unknown agreement belongs to',
  request: { params: WebhookParams, body: bodyOf(Envelope) },
});

const countRefusals = ({ metrics }: ApiDependencies): MiddlewareHandler<Env> =>
  createMiddleware<Env>(async (c, next) => {
    await next();
    const reason = c.get('problem');
    if (reason !== undefined) metrics.webhooksRefused.inc({ reason });
  });

/** Both paths share what has been seen. */
export const receiveWebhook = rawEndpoint(ofAny, createReceiver, { beforeAuthorisation: countRefusals }, [
  ofConnection,
]);

function createReceiver(dependencies: ApiDependencies) {
  const { temporal, verify, bridge, metrics, log, clock } = dependencies;
  // Filled only after Temporal took an event, with whether it was confirmed: what is in here has been kept.
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

  /** Resolves once Temporal has them all, which it is given some seconds for. */
  async function handAll(notifications: readonly Notification[], named: string | undefined): Promise<void> {
    const until = clock.now() + bridge.patienceMs;
    const patiently = <T>(attempt: () => Promise<T>): Promise<T> =>
      retried(attempt, { until, signal: bridge.stopping, clock });
    if (notifications.length === 0) return;
    const connection = await patiently(() => existing(dependencies, named));
    await settleAll(notifications.map((one) => patiently(() => hand(inTheNameOf(named, one), connection))));
  }

  async function receive(c: Context<Env>): Promise<Response> {
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    const verdict = verify(bytes, (name) => c.req.header(name), clock.now());
    if (!verdict.ok) throw forged(verdict.why);
    const requestId = c.req.header(bridge.requestIdHeader);
    if (requestId !== undefined && LOGGABLE_ID.test(requestId)) c.set('providerRequestId', requestId);
    if (verdict.isStale) metrics.webhooksStale.inc();
    const receivedAt = new Date(clock.now()).toISOString();
    const received = read(bytes, { receivedAt, authenticated: verdict.authenticatesBody });
    const events = new Map(received.map((notification) => [keyOf(notification), notification]));
    const fresh = [...events.values()].filter((notification) => !isDelivered(notification));
    await handAll(fresh, c.req.param('connection'));
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
 * The connection that the path names, if there is one: an event that waited for another would wait for ever.
 * Without it every connection is asked whose the event is.
 */
async function existing(
  { temporal, metrics }: ApiDependencies,
  named: string | undefined,
): Promise<string | undefined> {
  if (named === undefined || (await temporal.connections.exists(named))) return named;
  metrics.webhookConnectionsUnknown.inc();
  return undefined;
}

/** What belongs to another connection after all is not believed at once (workflows/entity/resource/state.ts). */
const inTheNameOf = (named: string | undefined, notification: Notification): Notification =>
  named === undefined
    ? notification
    : { ...notification, fact: { ...notification.fact, namedConnectionId: named } };

/** Of what is wrong with the call itself: to send it again would not help. */
const isRefusal = ({ code }: ApiError): boolean => PROBLEMS[code].status < 500;

/** Whatever went wrong, it is not kept: the provider must not believe that it is. */
function notStored(error: unknown, c: Context<Env>, log: Logger): ApiError {
  if (error instanceof ApiError) return error;
  log.error('notification not kept', { request_id: c.get('requestId'), ...traceOf(error) });
  return new ApiError('temporal_unavailable', 'The notification was not kept. Send it again.', {
    cause: error,
  });
}

const forged = (why: Unproven): ApiError =>
  new ApiError(`webhook_signature_${why}`, 'Expected a signature by one of the secrets that we share.');

function read(bytes: Uint8Array, receipt: { receivedAt: string; authenticated: boolean }): Notification[] {
  try {
    return readNotifications(bytes, receipt);
  } catch (error) {
    if (!(error instanceof NotAnEnvelope)) throw error;
    throw new ApiError('not_an_envelope', 'Expected a JSON object with data, an object or a list.', {
      cause: error,
    });
  }
}

/** The type too, as a forged event may reuse a known id: about something else it is not the same event. */
const keyOf = ({ resourceType, uid, fact }: Notification): string =>
  JSON.stringify([fact.id, resourceType, uid, fact.type]);

/** Waits for all, so that what was kept is remembered; then rejects as the first one did. */
async function settleAll(deliveries: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(deliveries);
  await Promise.all(deliveries);
}
