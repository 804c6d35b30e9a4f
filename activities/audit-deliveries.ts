// Reads the provider's own log of what it pushed, and hands in what was not answered or was refused: the payload is read by a call
// of ours, so its facts are authenticated. How far it has come is in its heartbeats; payloads and secrets never are.
import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { newAudit, placeOf, toHandIn, endReport, recordOutcome } from '../domain/facts/audit.js';
import { deliverNotification } from '../delivery/notifications.js';
import { PaymentsApiError } from '../payments-api/errors.js';
import { NotAnEnvelope, notificationsIn } from '../payments-api/webhook.js';
import { countAudited } from './attempts/counted.js';
import { inAttempts } from './attempts/resumable.js';
import type { AuditReport, Missed, Outcome } from '../domain/facts/audit.js';
import type { Instant, Notification } from '../domain/facts/fact.js';
import type { Webhook } from '../payments-api/answers/resources.schema.js';
import type { Dependencies } from './dependencies.js';

export interface AuditTask {
  connectionId: string;
  /** What was made before has been audited. */
  settledUntil: Instant | undefined;
}

/** What an audit heartbeats, so that the attempt after it goes on where it stopped. Plain JSON. */
interface Progress {
  report: AuditReport;
  /** The place of the last delivery that was dealt with. */
  behind?: string | undefined;
  oldestUnreadable?: Instant | undefined;
  /** How often the provider has refused its log. */
  refusals?: number | undefined;
}

/** What one attempt works with. */
interface Audit {
  deps: Dependencies;
  connectionId: string;
  progress: Progress;
}

/** No answer, or one that says that the event was not taken (docs/provider.md#webhooks-deliveries). */
const MISSED = { responseStatusCode: [null, { from: 300, to: 599 }], perPage: 100 } as const;
/** A log that goes on beyond this has no end. */
const LISTED_AT_MOST = 100_000;
/** A payload, and the look-up that its event may cause: the resource and its history. */
const REQUESTS_PER_DELIVERY = 3;

export function auditDeliveriesActivity(deps: Dependencies) {
  /**
   * @returns the report, also where a person has to do something before the provider can be called: it says so.
   * @throws ApplicationFailure as other reads do; another attempt goes on behind the last delivery that was handed in.
   */
  return function auditDeliveries({ connectionId, settledUntil }: AuditTask): Promise<AuditReport> {
    const { info } = Context.current();
    const startedAt = new Date(info.scheduledTimestampMs).toISOString();
    const left: unknown = info.heartbeatDetails;
    const progress = isProgress(left) ? left : { report: newAudit(connectionId, startedAt, settledUntil) };
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

const isProgress = (details: unknown): details is Progress =>
  typeof details === 'object' && details !== null && 'report' in details;

async function read(audit: Audit): Promise<AuditReport> {
  await handInAll(audit, await listed(audit));
  return endReport(audit.progress.report, audit.progress.oldestUnreadable);
}

/** What all of the connection's webhooks list as missed. */
async function listed(audit: Audit): Promise<Missed[]> {
  const { deps, connectionId } = audit;
  const { payments, withAccess } = deps;
  const webhooks = await withAccess(connectionId, (call) => gathered(payments.listWebhooks(call)));
  const ours = webhooks.filter((webhook) => isOurs(webhook, deps.audit.webhookUrl));
  const missed: Missed[] = [];
  for (const { id } of ours) {
    if (typeof id !== 'string') continue;
    const rows = await withAccess(connectionId, (call) =>
      gathered(payments.listWebhookDeliveries(id, MISSED, call)),
    );
    for (const { id: deliveryId, state, created_at: createdAt } of rows)
      if (typeof deliveryId === 'string')
        missed.push({ id: deliveryId, state: state ?? undefined, createdAt: createdAt ?? undefined });
  }
  const counted = { webhooks: ours.length, elsewhere: webhooks.length - ours.length };
  audit.progress = { ...audit.progress, report: { ...audit.progress.report, ...counted } };
  return missed;
}

/** An account may be shared with other systems, which have webhooks of their own. */
const isOurs = ({ url }: Webhook, own: string | undefined): boolean =>
  own === undefined || url == null || url === own || url.startsWith(`${own}/`);

async function gathered<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) {
    if (items.push(item) > LISTED_AT_MOST)
      throw ApplicationFailure.nonRetryable(`more than ${LISTED_AT_MOST} entries`, 'endless_list');
  }
  return items;
}

async function handInAll(audit: Audit, rows: readonly Missed[]): Promise<void> {
  const { missed, underWay } = toHandIn(rows, audit.progress.report);
  audit.progress = { ...audit.progress, report: { ...audit.progress.report, underWay } };
  const { behind = '' } = audit.progress;
  for (const one of missed.filter((row) => placeOf(row) > behind)) {
    const { outcome, names } = await handIn(audit, one.id);
    const { report, oldestUnreadable } = audit.progress;
    audit.progress = {
      report: recordOutcome(report, outcome, names),
      behind: placeOf(one),
      oldestUnreadable: oldestUnreadable ?? (outcome === 'unreadable' ? one.createdAt : undefined),
    };
    heartbeat(audit.progress);
    await Context.current().sleep(REQUESTS_PER_DELIVERY * audit.deps.sweep.paceMs);
  }
}

async function handIn(audit: Audit, id: string): Promise<{ outcome: Outcome; names: string[] }> {
  const notifications = await payloadOf(audit, id);
  if (typeof notifications === 'string') return { outcome: notifications, names: [id] };
  for (const notification of notifications) await deliverOne(audit, notification);
  return { outcome: 'handedIn', names: notifications.map(({ uid, fact }) => uid ?? fact.id) };
}

/** The events of a delivery, or why there are none to be had. */
async function payloadOf(
  { deps, connectionId }: Audit,
  id: string,
): Promise<Notification[] | Exclude<Outcome, 'handedIn'>> {
  try {
    const { payload } = await deps.withAccess(connectionId, (call) =>
      deps.payments.getWebhookDelivery(id, call),
    );
    const receivedAt = new Date(deps.now()).toISOString();
    return notificationsIn(payload, { receivedAt, authenticated: true });
  } catch (error) {
    if (error instanceof NotAnEnvelope) return 'unreadable';
    if (!(error instanceof PaymentsApiError)) throw error;
    if (error.code === 'not_found') return 'gone';
    if (error.code === 'rejected' || error.code === 'malformed') return 'unreadable';
    throw error;
  }
}

/** Whose it is, the log does not say for certain: it may list what was pushed for every account of the application. */
async function deliverOne(
  { deps: { temporal, taskQueue } }: Audit,
  notification: Notification,
): Promise<void> {
  const to = { client: temporal, taskQueue };
  if (await deliverNotification(to, notification, undefined, 'the audit')) return countAudited(notification);
  throw ApplicationFailure.create({
    type: 'not_delivered',
    message: `${notification.resource}/${notification.uid ?? ''} began and ended again`,
  });
}
