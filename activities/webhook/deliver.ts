// Delivers the events of one endpoint for some minutes. All progress is in the records, so a repeat continues where this one stopped.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import {
  WebhookLeaseLost,
  type WaitingResource,
  type WebhookEndpoint,
} from '../../domain/records/webhooks.js';
import { withHeartbeats } from '../attempts/heartbeat.js';
import { CONNECTIONS } from './lanes.js';
import { deliverRound } from './round.js';
import { createSender, type Sender } from './send.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Dependencies } from '../dependencies.js';

export interface DeliveryReport {
  /** `again`: call it again at once. */
  is: 'gone' | 'disabled' | 'unconfirmed' | 'again';
  /** How many resources wait. */
  waiting: number;
  failingSince?: Instant | undefined;
  attention: Attention[];
}

const RUNS_FOR_MS = 5 * 60_000;
/** The row is read at least so often. */
const IDLE_MS = 1000;
/** Between two rounds without work, also if many rows change. */
const SHORTEST_PAUSE_MS = 25;

export function deliverWebhooksActivity(deps: Dependencies) {
  /**
   * Delivers until the endpoint is deleted, disabled or unconfirmed, a flag changes, the worker stops, or some minutes have passed.
   * @throws WebhookLeaseLost if another attempt has begun, and the errors of the database. All may be retried.
   */
  return async function deliverWebhooks({ endpointId }: { endpointId: string }): Promise<DeliveryReport> {
    const sender = createSender({ allowsPrivate: deps.webhooks.allowsPrivate, connections: CONNECTIONS });
    const watcher = deps.webhooks.watchAll();
    const { cancellationSignal } = Context.current();
    const signal = AbortSignal.any([
      cancellationSignal,
      deps.webhooks.stopping,
      AbortSignal.timeout(RUNS_FOR_MS),
    ]);
    const delivery: Delivery = { deps, endpointId, lease: randomUUID(), sender, signal, waiting: new Map() };
    try {
      return await withHeartbeats(() => deliver(delivery, (ms) => watcher.changed(ms, signal)));
    } finally {
      watcher.stop();
      sender.close();
    }
  };
}

interface Delivery {
  deps: Dependencies;
  endpointId: string;
  lease: string;
  sender: Sender;
  signal: AbortSignal;
  /** By cursor and workflow. Only this activity changes it, while it has the lease. */
  waiting: Map<string, Map<string, WaitingResource>>;
}

async function deliver(delivery: Delivery, changed: (ms: number) => Promise<void>): Promise<DeliveryReport> {
  const { deps, endpointId, lease, signal } = delivery;
  const { readEndpoint, releaseCursors } = deps.records;
  let flags: string | undefined;
  for (;;) {
    const endpoint = await readEndpoint(endpointId);
    if (endpoint === undefined) return { is: 'gone', waiting: 0, attention: [] };
    if (endpoint.is !== 'enabled') {
      await releaseCursors(endpointId, lease);
      return reportOf(delivery, endpoint, endpoint.is);
    }
    const newFlags = JSON.stringify(endpoint.attention);
    flags ??= newFlags;
    if (signal.aborted || flags !== newFlags) return reportOf(delivery, endpoint, 'again');
    // The cursors that were just taken are read again.
    if ((await takeCursors(delivery, endpoint)) || (await deliverRounds(delivery, endpoint))) continue;
    await changed(pauseMs(delivery));
    await delay(SHORTEST_PAUSE_MS);
  }
}

/** @returns whether some were free, or this activity has just begun. @throws WebhookLeaseLost also if the API has enabled the endpoint again, which frees all cursors. */
async function takeCursors(delivery: Delivery, { id, cursors }: WebhookEndpoint): Promise<boolean> {
  const { deps, lease, waiting } = delivery;
  const isFirst = waiting.size === 0;
  const others = cursors.filter((cursor) => cursor.lease !== lease);
  if (others.length === 0) return false;
  const isLost = others.some((cursor) => cursor.lease !== undefined || waiting.has(cursor.id));
  if (!isFirst && isLost) throw new WebhookLeaseLost(id);
  const taken = await deps.records.takeCursors(id, lease, isFirst ? 'all' : 'free', deps.now());
  for (const [cursorId, resources] of taken)
    waiting.set(cursorId, new Map(resources.map((resource) => [resource.workflowId, resource])));
  return taken.size > 0;
}

/** One round of each cursor. */
async function deliverRounds(delivery: Delivery, endpoint: WebhookEndpoint): Promise<boolean> {
  const { deps, lease, sender, signal, waiting } = delivery;
  const { url, secrets } = endpoint;
  let hasWorked = false;
  for (const cursor of endpoint.cursors) {
    const isDone = await deliverRound({
      ...{ rows: deps.records, endpoint, cursor, lease, now: deps.now, random: Math.random },
      waiting: waiting.get(cursor.id) ?? new Map<string, WaitingResource>(),
      isStopping: () => signal.aborted,
      send: ({ id, body }) => sender.send({ url, secrets, id, body }),
    });
    hasWorked ||= isDone;
  }
  return hasWorked;
}

const waitingOf = ({ waiting }: Delivery): WaitingResource[] =>
  [...waiting.values()].flatMap((ofCursor) => [...ofCursor.values()]);

function pauseMs(delivery: Delivery): number {
  const nextAt = waitingOf(delivery).reduce((first, one) => Math.min(first, one.nextAt), Infinity);
  return Math.max(0, Math.min(IDLE_MS, nextAt - delivery.deps.now()));
}

function reportOf(delivery: Delivery, endpoint: WebhookEndpoint, is: DeliveryReport['is']): DeliveryReport {
  const since = endpoint.cursors.find(({ id }) => id === 'live')?.failingSince;
  return {
    ...{ is, waiting: waitingOf(delivery).length, attention: endpoint.attention },
    failingSince: since === undefined ? undefined : new Date(since).toISOString(),
  };
}
