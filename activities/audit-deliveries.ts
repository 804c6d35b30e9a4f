// Reads the provider's log of webhook deliveries and delivers the failed ones. We fetch each payload ourselves, so its facts count as
// authenticated. Heartbeats carry the progress, but never payloads or secrets.
import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import {
  newAudit,
  placeOf,
  toHandIn,
  endReport,
  applyOutcome,
  type AuditReport,
  type Missed,
  type AuditOutcome,
} from '../domain/sweep/audit.js';
import { deliverNotification } from '../delivery/notifications.js';
import { PaymentsApiError } from '../payments-api/errors.js';
import { NotAnEnvelope, notificationsIn, unreadableDelivery } from '../payments-api/webhook.js';
import { countAudited } from './attempts/counted.js';
import { detailsWith } from './attempts/heartbeat.js';
import { inAttempts } from './attempts/resumable.js';
import type { Instant } from '../domain/facts/fact.js';
import type { Notification } from '../domain/resources.js';
import type { Webhook } from '../payments-api/answers/resources.schema.js';
import type { Dependencies } from './dependencies.js';

export interface AuditTask {
  connectionId: string;
  /** Deliveries created before this time have been audited. */
  settledUntil: Instant | undefined;
}

/** The heartbeat details, as plain JSON: the next attempt continues from here. */
interface Progress {
  report: AuditReport;
  /** The place of the last processed delivery. */
  behind?: string | undefined;
  /** How often the provider has refused to return its log. */
  refusals?: number | undefined;
}

interface Audit {
  deps: Dependencies;
  connectionId: string;
  progress: Progress;
}

/** Selects deliveries without a response, or with one that reports a failure (docs/provider.md#webhooks-deliveries). */
const MISSED = { responseStatusCode: [null, { from: 300, to: 599 }], perPage: 100 } as const;
/** A longer list is treated as endless. */
const LISTED_AT_MOST = 100_000;
/** One for the payload. The event may cause a look-up, which fetches the resource and its history. */
const REQUESTS_PER_DELIVERY = 3;

export function auditDeliveriesActivity(deps: Dependencies) {
  /**
   * @returns the report, which also states if a person must act before we can call the provider.
   * @throws ApplicationFailure as other reads do. The next attempt continues after the last delivery that was processed.
   */
  return function auditDeliveries({ connectionId, settledUntil }: AuditTask): Promise<AuditReport> {
    const { info } = Context.current();
    const startedAt = new Date(info.scheduledTimestampMs).toISOString();
    const progress = detailsWith<Progress>('report') ?? {
      report: newAudit(connectionId, startedAt, settledUntil),
    };
    const audit: Audit = { deps, connectionId, progress };
    return inAttempts({
      at: audit,
      read: () => read(audit),
      carried: () => audit.progress,
      afterRefusal: (progress) => progress,
      stopped: (stopped) => ({ ...audit.progress.report, stopped }),
      now: deps.now,
    });
  };
}

async function read(audit: Audit): Promise<AuditReport> {
  await handInAll(audit, await listed(audit));
  return endReport(audit.progress.report);
}

/** Lists the failed deliveries of all our webhooks. */
async function listed(audit: Audit): Promise<Missed[]> {
  const { deps, connectionId } = audit;
  const { payments, withAccess } = deps;
  const webhooks = await withAccess(connectionId, (call) => gathered(payments.listWebhooks(call)));
  const ours = webhooks.filter((webhook) => isOurs(webhook, deps.audit.webhookUrl));
  const { settledUntil } = audit.progress.report;
  const since = settledUntil === undefined ? {} : { since: `${settledUntil.slice(0, 19)}Z` };
  const missed: Missed[] = [];
  for (const { id } of ours) {
    if (typeof id !== 'string') continue;
    const rows = await withAccess(connectionId, (call) =>
      gathered(payments.listWebhookDeliveries(id, { ...MISSED, ...since }, call)),
    );
    for (const { id: deliveryId, created_at: createdAt } of rows)
      if (typeof deliveryId === 'string') missed.push({ id: deliveryId, createdAt: createdAt ?? undefined });
  }
  const counted = { webhooks: ours.length, elsewhere: webhooks.length - ours.length };
  audit.progress = { ...audit.progress, report: { ...audit.progress.report, ...counted } };
  return missed;
}

/** Other systems with their own webhooks may share the account. */
const isOurs = ({ url }: Webhook, own: string | undefined): boolean =>
  own === undefined || url == null || url === own || url.startsWith(`${own}/`);

async function gathered<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) {
    if (items.push(item) > LISTED_AT_MOST)
      throw ApplicationFailure.nonRetryable(`list exceeds ${LISTED_AT_MOST} entries`, 'endless_list');
  }
  return items;
}

async function handInAll(audit: Audit, rows: readonly Missed[]): Promise<void> {
  const { behind = '' } = audit.progress;
  for (const one of toHandIn(rows, audit.progress.report).filter((row) => placeOf(row) > behind)) {
    const { outcome, names } = await handIn(audit, one.id);
    audit.progress = { report: applyOutcome(audit.progress.report, outcome, names), behind: placeOf(one) };
    heartbeat(audit.progress);
    await Context.current().sleep(REQUESTS_PER_DELIVERY * audit.deps.sweep.paceMs);
  }
}

async function handIn(audit: Audit, id: string): Promise<{ outcome: AuditOutcome; names: string[] }> {
  const { notifications, outcome } = await eventsOf(audit, id);
  for (const notification of notifications) await deliverOne(audit, notification);
  const names = notifications.map(({ uid, fact }) => uid ?? fact.id);
  return { outcome, names: outcome === 'handedIn' ? names : [id] };
}

/** The events of a delivery. Of one that we cannot read, a notification for an operator. */
async function eventsOf(
  { deps, connectionId }: Audit,
  id: string,
): Promise<{ notifications: Notification[]; outcome: AuditOutcome }> {
  const reception = { receivedAt: new Date(deps.now()).toISOString(), authenticated: true };
  let payload: unknown;
  try {
    ({ payload } = await deps.withAccess(connectionId, (call) => deps.payments.getWebhookDelivery(id, call)));
    return { notifications: notificationsIn(payload, reception), outcome: 'handedIn' };
  } catch (error) {
    const code = error instanceof PaymentsApiError ? error.code : undefined;
    if (code === 'not_found') return { notifications: [], outcome: 'gone' };
    if (!(error instanceof NotAnEnvelope) && code !== 'rejected' && code !== 'malformed') throw error;
    return { notifications: [unreadableDelivery(id, payload, reception)], outcome: 'unreadable' };
  }
}

/** The log does not show reliably which connection an event belongs to: it may list deliveries for every account of the application. */
async function deliverOne(
  { deps: { temporal, taskQueue } }: Audit,
  notification: Notification,
): Promise<void> {
  const to = { client: temporal, taskQueue };
  if (await deliverNotification(to, notification, undefined, 'the audit')) return countAudited(notification);
  throw ApplicationFailure.create({
    type: 'not_delivered',
    message: `${notification.resource}/${notification.uid ?? ''} was not delivered: its workflow ended before it received the event`,
  });
}
