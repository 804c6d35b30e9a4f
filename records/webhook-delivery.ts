// What the delivery of webhooks reads and stores: endpoints with their cursors, what waits, and attempts. Only one activity works with a cursor at a time.
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { typesMatching } from '../domain/records/event-type-patterns.js';
import {
  WebhookLeaseLost,
  type EventPlace,
  type WaitingResource,
  type WebhookAttempt,
  type WebhookCursor,
  type WebhookEndpoint,
  type WebhookProgress,
  type WebhookRows,
} from '../domain/records/webhooks.js';
import { openWebhook, sealWebhook, type Sealed } from './sealed.js';
import { createWebhookEvents, type Rendering } from './webhook-events.js';
import { disableEndpoint, raiseStopped, raiseUndelivered } from './webhook-flags.js';
import type { Attention } from '../domain/attention/flags.js';
import type { Opened } from './database.js';
import type { Tables, WebhookDeliveryTable } from './tables.js';

/** `cursor_id` of attempts outside of all cursors. */
const MANUAL = 'manual';

export const createWebhookRows = (rendering: Rendering): WebhookRows => ({
  ...createWebhookEvents(rendering),
  readEndpoint: (id) => readEndpoint(rendering, id),
  takeCursors: (id, lease, which, now) =>
    rendering.db.transaction().execute((trx) => takeCursors(trx, { id, lease, which, now })),
  releaseCursors: async (id, lease) => {
    const mine = rendering.db.updateTable('webhook_cursors').where('endpoint_id', '=', id);
    await mine.where('lease', '=', lease).set({ lease: null }).execute();
  },
  storeProgress: (progress) =>
    rendering.db
      .transaction()
      .execute((trx) => storeProgress({ db: trx, keyring: rendering.keyring }, progress)),
  storeManual: (endpointId, attempt) =>
    rendering.db
      .transaction()
      .execute((trx) => storeManual({ db: trx, keyring: rendering.keyring }, endpointId, attempt)),
});

interface CursorJson {
  id: string;
  place: EventPlace;
  until: EventPlace | null;
  types: string[] | null;
  lease: string | null;
  last_success_at: string | null;
  failing_since: string | null;
  has_new: boolean;
}

interface EndpointRow extends Sealed {
  id: string;
  types: string[] | null;
  connections: string[] | null;
  form: string;
  status: string;
  key_scopes: string[];
  key_connections: string[] | null;
  is_confirmed: boolean;
  last_success_at: Date | null;
  attention: Attention[];
  secrets: { id: string; key_id: string; sealed: string }[];
  cursors: CursorJson[];
}

/** One small statement, because each endpoint makes it every second. */
async function readEndpoint({ db, keyring }: Opened, id: string): Promise<WebhookEndpoint | undefined> {
  const { rows } = await sql<EndpointRow>`
    select one.*, one.key_confirmed_at > now() - interval '5 minutes' as is_confirmed,
      (select max(last_success_at) from webhook_cursors where endpoint_id = one.id) as last_success_at,
      (select coalesce(json_agg(json_build_object('id', id, 'key_id', key_id, 'sealed', encode(sealed, 'base64'))
          order by created_at desc), '[]')
        from webhook_secrets where endpoint_id = one.id and (expires_at is null or expires_at > now())) as secrets,
      (select coalesce(json_agg(json_build_object(
            'id', id, 'place', json_build_array(era, transaction::text, position),
            'until', case when until_era is not null then json_build_array(until_era, until_transaction::text, until_position) end,
            'types', types, 'lease', lease, 'last_success_at', last_success_at, 'failing_since', failing_since,
            'has_new', exists (
              select from entries where event is not null and (entries.era, entries.transaction, entries.position)
                > (webhook_cursors.era, webhook_cursors.transaction, webhook_cursors.position)))
          order by id <> 'live', created_at), '[]')
        from webhook_cursors where endpoint_id = one.id and ended_at is null) as cursors
    from webhook_endpoints one where one.id = ${id}`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { url } = openWebhook(keyring, 'webhook_endpoints', id, row) as { url: string };
  return {
    ...{ id, url, form: row.form, is: statusOf(row), attention: row.attention, scopes: row.key_scopes },
    isConfirmed: row.is_confirmed,
    lastSuccessAt: row.last_success_at?.getTime(),
    secrets: row.secrets.map((one) => secretOf(keyring, one)),
    types: row.types?.flatMap(typesMatching),
    connections: intersection(row.key_connections, row.connections),
    cursors: row.cursors.map(cursorOf),
  };
}

const statusOf = ({ status, is_confirmed: isConfirmed }: EndpointRow): WebhookEndpoint['is'] => {
  if (status !== 'enabled') return 'disabled';
  return isConfirmed ? 'enabled' : 'unconfirmed';
};

function secretOf(
  keyring: Opened['keyring'],
  { id, key_id, sealed }: EndpointRow['secrets'][number],
): string {
  const row = { key_id, sealed: Buffer.from(sealed, 'base64') };
  return (openWebhook(keyring, 'webhook_secrets', id, row) as { secret: string }).secret;
}

/** Null: all. */
function intersection(ofKey: string[] | null, chosen: string[] | null): string[] | undefined {
  if (ofKey === null || chosen === null) return ofKey ?? chosen ?? undefined;
  return chosen.filter((id) => ofKey.includes(id));
}

const cursorOf = (json: CursorJson): WebhookCursor => ({
  ...{ id: json.id, place: json.place, until: json.until ?? undefined, types: json.types ?? undefined },
  ...{ lease: json.lease ?? undefined, hasNew: json.has_new },
  lastSuccessAt: json.last_success_at === null ? undefined : Date.parse(json.last_success_at),
  failingSince: json.failing_since === null ? undefined : Date.parse(json.failing_since),
});

interface Taking {
  id: string;
  lease: string;
  which: 'all' | 'free';
  now: number;
}

/** A free cursor was paused: its endpoint was disabled or has just been enabled, or its key was unconfirmed. What waited then begins again. */
async function takeCursors(
  db: Transaction<Tables>,
  { id, lease, which, now }: Taking,
): Promise<Map<string, WaitingResource[]>> {
  await lockEndpoint(db, id);
  const open = await db
    .selectFrom('webhook_cursors')
    .select(['id', 'lease'])
    .where('endpoint_id', '=', id)
    .where('ended_at', 'is', null)
    .forUpdate()
    .execute();
  const taken = open.filter((cursor) => which === 'all' || cursor.lease === null);
  const ids = taken.map((cursor) => cursor.id);
  const paused = taken.filter((cursor) => cursor.lease === null).map((cursor) => cursor.id);
  const at = new Date(now);
  await sql`
    update webhook_waiting set since = ${at}, attempts = 0, next_at = ${at}
    where endpoint_id = ${id} and cursor_id = any(${paused}::text[])`.execute(db);
  await sql`
    update webhook_cursors set lease = ${lease},
      failing_since = case when id = any(${paused}::text[]) then null else failing_since end
    where endpoint_id = ${id} and id = any(${ids}::text[])`.execute(db);
  const waiting = await db
    .selectFrom('webhook_waiting')
    .selectAll()
    .where('endpoint_id', '=', id)
    .where('cursor_id', 'in', [...ids, ''])
    .execute();
  return new Map(
    ids.map((cursorId) => [
      cursorId,
      waiting
        .filter((row) => row.cursor_id === cursorId)
        .map((row) => ({
          ...{ workflowId: row.workflow_id, place: [row.era, row.transaction, row.position] },
          ...{ attempts: row.attempts, since: row.since.getTime(), nextAt: row.next_at.getTime() },
        })),
    ]),
  );
}

/** Before its cursors, as the API locks them. */
const lockEndpoint = (db: Opened['db'], id: string) =>
  db.selectFrom('webhook_endpoints').select('id').where('id', '=', id).forUpdate().execute();

async function storeProgress(opened: Opened, progress: WebhookProgress): Promise<void> {
  const { endpointId, cursorId, attempts, disabled, mostWaiting, now } = progress;
  const setAside = attempts.filter(({ outcome }) => outcome === 'set_aside');
  if (setAside.length > 0 || disabled !== undefined || mostWaiting !== undefined)
    await lockEndpoint(opened.db, endpointId);
  await moveCursor(opened, progress);
  if (attempts.length > 0)
    await opened.db
      .insertInto('webhook_deliveries')
      .values(attempts.map((attempt) => deliveryRow(opened, { endpointId, cursorId }, attempt)))
      .execute();
  await storeWaiting(opened, progress);
  if (mostWaiting !== undefined) await raiseStopped(opened, endpointId, mostWaiting, now);
  if (setAside.length > 0) await raiseUndelivered(opened, endpointId, setAside, now);
  if (disabled !== undefined) await disableEndpoint(opened, endpointId, disabled, now);
}

async function moveCursor({ db }: Opened, progress: WebhookProgress): Promise<void> {
  const { endpointId, cursorId, lease, place, isEnded, lastSuccessAt, failingSince, now } = progress;
  const [era, transaction, position] = place;
  const { numUpdatedRows } = await db
    .updateTable('webhook_cursors')
    .set({
      ...{ era, transaction, position, ended_at: isEnded ? new Date(now) : null },
      // An event that was sent by hand may have succeeded later.
      last_success_at: sql`greatest(last_success_at, ${dateOf(lastSuccessAt)}::timestamptz)`,
      failing_since: dateOf(failingSince),
    })
    .where('endpoint_id', '=', endpointId)
    .where('id', '=', cursorId)
    .where('lease', '=', lease)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new WebhookLeaseLost(endpointId);
}

async function storeManual(opened: Opened, endpointId: string, attempt: WebhookAttempt): Promise<string> {
  const row = deliveryRow(opened, { endpointId, cursorId: MANUAL }, attempt);
  await opened.db.insertInto('webhook_deliveries').values(row).execute();
  const live = opened.db.updateTable('webhook_cursors').where('endpoint_id', '=', endpointId);
  if (attempt.outcome === 'delivered')
    await live
      .where('id', '=', 'live')
      .set({ last_success_at: new Date(attempt.at), failing_since: null })
      .execute();
  return row.id;
}

const dateOf = (ms: number | undefined): Date | null => (ms === undefined ? null : new Date(ms));

async function storeWaiting(
  { db }: Opened,
  { endpointId, cursorId, waiting, resumed }: WebhookProgress,
): Promise<void> {
  await sql`
    delete from webhook_waiting where endpoint_id = ${endpointId} and cursor_id = ${cursorId}
      and workflow_id = any(${[...resumed, ...waiting.map(({ workflowId }) => workflowId)]}::text[])`.execute(
    db,
  );
  if (waiting.length === 0) return;
  const rows = waiting.map(
    ({ workflowId, place: [era, transaction, position], since, attempts, nextAt }) => ({
      ...{
        endpoint_id: endpointId,
        cursor_id: cursorId,
        workflow_id: workflowId,
        era,
        transaction,
        position,
      },
      ...{ since: new Date(since), attempts, next_at: new Date(nextAt) },
    }),
  );
  await db.insertInto('webhook_waiting').values(rows).execute();
}

function deliveryRow(
  { keyring }: Pick<Opened, 'keyring'>,
  of: { endpointId: string; cursorId: string },
  { event, attempt, at, outcome, answer }: WebhookAttempt,
): WebhookDeliveryTable {
  const id = randomUUID();
  const [era, transaction, position] = of.cursorId === MANUAL ? [null, null, null] : event.place;
  const { answer: text } = answer;
  const sealed = text === undefined || text === '' ? undefined : { answer: text };
  return {
    ...{ id, endpoint_id: of.endpointId, cursor_id: of.cursorId, event_id: event.id, event_type: event.type },
    ...{ resource: event.resource, uid: event.uid, era, transaction, position, attempt, outcome },
    ...{ at: new Date(at), duration_ms: answer.durationMs },
    ...{ status: answer.status ?? null, problem: answer.problem ?? null },
    ...(sealed === undefined
      ? { key_id: null, sealed: null }
      : sealWebhook(keyring, 'webhook_deliveries', id, sealed)),
  };
}
