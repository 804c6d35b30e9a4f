// Stores the events of verified webhooks in Temporal: each once, a bounded number at once, and with patience.
import { LRUCache } from 'lru-cache';
import pLimit, { type LimitFunction } from 'p-limit';
import { isUnknownEvent } from '../../../domain/resources.js';
import type { Notification } from '../../../payments-api/webhook.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import { ApiError } from '../../http/problems/errors.js';
import { retried } from '../../http/wait.js';

/** The provider resends an event for an hour. A much later duplicate was requested by a person and passes. */
const REMEMBERED = { most: 50_000, ttl: 2 * 60 * 60 * 1000 } as const;

/** How many events this process delivers to Temporal at once. */
const AT_ONCE = 64;
/**
 * The share of each secret: how many of its events this process delivers at once, and how many it accepts. The provider proves all
 * merchants' webhooks with the application's secret. The events of other secrets wait for their own share, so that they do not delay those.
 */
const SHARES = {
  application: { atOnce: AT_ONCE, underWay: 2000 },
  connection: { atOnce: 8, underWay: 500 },
} as const;
/** How long after the end of its patience an event may still begin its only attempt. By then the sender has hung up. */
const LONGEST_QUEUE_MS = 5000;

/** A verified webhook. */
export interface Received {
  /** The connection in the path. */
  named: string | undefined;
  /** The connection whose secret proved it. Undefined if the application's secret did. */
  proven: string | undefined;
  events: readonly Notification[];
}

/** @returns a function that resolves once Temporal has stored all events. @throws ApiError if it has not */
export function createStore(dependencies: ApiDependencies) {
  const { temporal, bridge, metrics, clock } = dependencies;
  // Delivered events, and whether they were authenticated. Filled only after Temporal has stored the event.
  // `maxSize` grows with the entries. `max` would allocate the memory of all when the API starts.
  const delivered = new LRUCache<string, boolean>({
    maxSize: REMEMBERED.most,
    sizeCalculation: () => 1,
    ttl: REMEMBERED.ttl,
    ttlResolution: 0,
    perf: clock,
  });
  const isDelivered = (notification: Notification): boolean => {
    const wasConfirmed = delivered.get(keyOf(notification));
    return wasConfirmed === true || wasConfirmed === notification.fact.authenticated;
  };

  async function hand(notification: Notification, connection: string | undefined): Promise<void> {
    await temporal.deliver(notification, connection);
    delivered.set(keyOf(notification), notification.fact.authenticated);
    metrics.webhooksAccepted.add(1, { resource: notification.resource });
    if (isUnknownEvent(notification))
      metrics.webhookEventsUnknown.add(1, { resource: notification.resource });
  }

  const queue = pLimit(AT_ONCE);
  const shareOf = createShares();

  /** Resolves once Temporal has stored all events. Retries for `patienceMs`. */
  async function handAll(
    notifications: readonly Notification[],
    { named, share }: { named: string | undefined; share: Share },
  ): Promise<void> {
    const until = clock.now() + bridge.patienceMs;
    const patiently = <T>(attempt: () => Promise<T>): Promise<T> =>
      retried(attempt, { until, signal: bridge.stopping, clock });
    const connection = await patiently(() => existing(dependencies, named));
    const handOne = (one: Notification): Promise<void> => {
      if (clock.now() > until + LONGEST_QUEUE_MS) throw overloaded();
      return patiently(() => hand(one, connection));
    };
    await allDelivered(notifications.map((one) => share.queue(() => queue(handOne, one))));
  }

  return async ({ named, proven, events }: Received) => {
    const distinct = new Map(events.map((notification) => [keyOf(notification), notification]));
    const fresh = [...distinct.values()].filter((notification) => !isDelivered(notification));
    const share = shareOf(proven);
    if (fresh.length > 0) await bounded(share, fresh.length, () => handAll(fresh, { named, share }));
    const duplicates = events.length - fresh.length;
    metrics.webhookDuplicates.add(duplicates);
    return { accepted: fresh.length, duplicates };
  };
}

interface Share {
  most: number;
  underWay: number;
  queue: LimitFunction;
}

/** Only verified webhooks reach this, so there is at most one share for each secret. */
function createShares(): (proven: string | undefined) => Share {
  const shares = new Map<string | undefined, Share>();
  return (proven) => {
    const { atOnce, underWay: most } = proven === undefined ? SHARES.application : SHARES.connection;
    const share = shares.get(proven) ?? { most, underWay: 0, queue: pLimit(atOnce) };
    shares.set(proven, share);
    return share;
  };
}

/** @throws ApiError if too many others of the share are under way. A single webhook with more passes alone. */
async function bounded(share: Share, count: number, work: () => Promise<void>): Promise<void> {
  if (share.underWay > 0 && share.underWay + count > share.most) throw overloaded();
  share.underWay += count;
  await work().finally(() => (share.underWay -= count));
}

export const overloaded = (): ApiError =>
  new ApiError('temporal_unavailable', 'Too many events are under way. Send the notification again.');

/**
 * Returns the named connection if it exists, because an event for a missing one would wait forever. Without a connection, we look
 * up an unknown resource on every connection with a consent.
 */
async function existing(
  { temporal, metrics }: ApiDependencies,
  named: string | undefined,
): Promise<string | undefined> {
  if (named === undefined || (await temporal.connections.exists(named))) return named;
  metrics.webhookConnectionsUnknown.add(1);
  return undefined;
}

/**
 * Includes type, resource and the connection that signed it, because a forged event may reuse a known id. Includes the connection of
 * the address, because an event that first arrived at a wrong address must still be delivered at the right one.
 */
const keyOf = ({ resourceType, uid, fact }: Notification): string =>
  JSON.stringify([
    ...[fact.id, resourceType, uid, fact.type],
    ...[fact.namedConnectionId, fact.provenConnectionId],
  ]);

/** Waits for all deliveries, so that every stored event is recorded, then rejects with the first error. */
async function allDelivered(deliveries: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(deliveries);
  await Promise.all(deliveries);
}
