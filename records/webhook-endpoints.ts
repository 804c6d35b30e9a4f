// The endpoints that receive events as webhooks: their rows, as the API creates, reads and changes them.
import { sql } from 'kysely';
import { lower, type Attention } from '../domain/attention/flags.js';
import { newestPlace } from './events.js';
import {
  copyOf,
  endpointOf,
  lockedEndpoint,
  openSettings,
  readEndpoints,
  sealSettings,
  storeEndpointEvent,
  type EndpointSettings,
  type StoredEndpoint,
} from './webhook-endpoint-rows.js';
import { listDeliveries, readDelivery, type DeliveriesRequest } from './webhook-endpoint-deliveries.js';
import { confirmKeys, type ConfirmedKey } from './webhook-endpoint-keys.js';
import { startReplay, type Replay } from './webhook-endpoint-replays.js';
import { madeBefore, rememberUse, type CommandUse } from './webhook-endpoint-requests.js';
import { insertSecret, repeatableSecret, rotateSecret, type Rotation } from './webhook-endpoint-secrets.js';
import type { Opened } from './database.js';
import type { Sealed } from './sealed.js';

export interface NewEndpoint {
  id: string;
  principal: string;
  apiKeyId: string;
  keyScopes: readonly string[];
  keyConnections: readonly string[] | undefined;
  /** A digest of the caller's `Idempotency-Key`, and one of the body. */
  requestKey: string;
  requestDigest: string;
  settings: EndpointSettings;
}

export type Creation =
  | { is: 'created'; endpoint: StoredEndpoint; secret: string }
  /** Without a secret that was replaced, or is older than a day. */
  | { is: 'repeated'; endpoint: StoredEndpoint; secret: string | undefined }
  /** The key was used for another body, or with another API key. */
  | { is: 'conflict' }
  | { is: 'other_key' }
  | { is: 'too_many'; of: 'all' | 'principal' };

export const MOST_ENDPOINTS = 100;
/** So many of one principal, so that it leaves some to the others. */
export const MOST_OF_PRINCIPAL = 20;
export type WebhookEndpoints = ReturnType<typeof createWebhookEndpoints>;

/** Each call throws the errors of the database, and SealError if a key is missing. */
export const createWebhookEndpoints = (opened: Opened) => ({
  create: (requested: NewEndpoint) => createEndpoint(opened, requested),
  /** All of them, oldest first. There are at most `MOST_ENDPOINTS`. */
  list: () => readEndpoints(opened),
  read: async (id: string) => (await readEndpoints(opened, id))[0],
  change: (id: string, change: EndpointChange) => changeEndpoint(opened, id, change),
  /** @returns whether there was such an endpoint. Its deliveries stay until the retention deletes them. */
  remove: (id: string, by: string) => deleteEndpoint(opened, id, by),
  resolveFlag: (id: string, resolution: FlagResolution) => resolveFlagOf(opened, id, resolution),
  rotateSecret: (id: string, rotation: Rotation) => rotateSecret(opened, id, rotation),
  startReplay: (id: string, replay: Replay) => startReplay(opened, id, replay),
  deliveries: (id: string, request: DeliveriesRequest) => listDeliveries(opened, id, request),
  delivery: (id: string, delivery: string) => readDelivery(opened, id, delivery),
  confirmKeys: (keys: readonly ConfirmedKey[]) => confirmKeys(opened, keys),
});

/** Creates an endpoint that receives events from now on. A repeat with the same request key changes nothing. */
const createEndpoint = ({ db, keyring }: Opened, requested: NewEndpoint): Promise<Creation> =>
  db.transaction().execute(async (trx): Promise<Creation> => {
    const opened: Opened = { db: trx, keyring };
    // One at a time, so that two repeats make one endpoint, and the count is exact.
    await sql`select pg_advisory_xact_lock(hashtext('webhook_endpoints'))`.execute(trx);
    const repeated = await repeatOf(opened, requested);
    if (repeated !== undefined) return repeated;
    const { rows } = await sql<{ count: number; own: number }>`
      select count(*) as count, count(*) filter (where principal = ${requested.principal}) as own
      from webhook_endpoints`.execute(trx);
    if ((rows[0]?.own ?? 0) >= MOST_OF_PRINCIPAL) return { is: 'too_many', of: 'principal' };
    if ((rows[0]?.count ?? 0) >= MOST_ENDPOINTS) return { is: 'too_many', of: 'all' };
    await insertEndpoint(opened, requested);
    const secret = await insertSecret(opened, requested.id, firstSecretOf(requested.id));
    const endpoint = await endpointOf(opened, requested.id);
    await storeEndpointEvent(opened, endpoint, 'webhook_endpoint.created', { by: requested.principal });
    return { is: 'created', endpoint, secret };
  });

/** A secret that was made with its endpoint has its id. Rotations make others. */
const firstSecretOf = (endpointId: string): string => endpointId;

/** @returns undefined if the request is not a repeat. */
async function repeatOf(
  opened: Opened,
  { requestKey, requestDigest, apiKeyId }: NewEndpoint,
): Promise<Creation | undefined> {
  const ofKey = opened.db.selectFrom('webhook_endpoints').where('request_key', '=', requestKey);
  const before = await ofKey.select(['id', 'api_key_id', 'key_id', 'sealed']).executeTakeFirst();
  if (before === undefined) return undefined;
  const { id, api_key_id: madeWith } = before;
  if (madeWith !== apiKeyId) return { is: 'other_key' };
  if (openSettings(opened, id, before).request !== requestDigest) return { is: 'conflict' };
  const secret = await repeatableSecret(opened, id, firstSecretOf(id));
  return { is: 'repeated', endpoint: await endpointOf(opened, id), secret };
}

async function insertEndpoint(opened: Opened, requested: NewEndpoint): Promise<void> {
  const { id, principal, apiKeyId, keyScopes, keyConnections, requestKey, requestDigest, settings } =
    requested;
  const now = sql<Date>`now()`;
  await opened.db
    .insertInto('webhook_endpoints')
    .values({
      ...{ id, principal, api_key_id: apiKeyId, request_key: requestKey, status: 'enabled' },
      ...{ disabled_because: null, disabled_at: null, updated_at: now, form: settings.form },
      ...{ types: copyOf(settings.types), connections: copyOf(settings.connections) },
      ...{ key_scopes: [...keyScopes], key_connections: copyOf(keyConnections), key_confirmed_at: now },
      ...sealSettings(opened, id, { ...settings, request: requestDigest }),
    })
    .execute();
  const [era, transaction, position] = await newestPlace(opened);
  await opened.db
    .insertInto('webhook_cursors')
    .values({
      ...{ endpoint_id: id, id: 'live', era, transaction, position, types: null, lease: null },
      ...{ until_era: null, until_transaction: null, until_position: null },
      ...{ last_success_at: null, failing_since: null, ended_at: null },
    })
    .execute();
}

export interface EndpointChange {
  settings: Partial<EndpointSettings>;
  status?: StoredEndpoint['status'] | undefined;
  /** The principal. */
  by: string;
}

/** Leaves absent fields as they are. @returns undefined if there is no such endpoint. */
const changeEndpoint = (
  { db, keyring }: Opened,
  id: string,
  { settings, status, by }: EndpointChange,
): Promise<StoredEndpoint | undefined> =>
  db.transaction().execute(async (trx) => {
    const opened: Opened = { db: trx, keyring };
    const row = await lockedEndpoint(opened, id);
    if (row === undefined) return undefined;
    if (Object.keys(settings).length > 0) await changeSettings(opened, id, row, settings);
    if (status !== undefined && status !== row.status) await changeStatus(opened, id, status, by);
    return endpointOf(opened, id);
  });

async function changeSettings(
  opened: Opened,
  id: string,
  row: Sealed,
  settings: Partial<EndpointSettings>,
): Promise<void> {
  const { url, form, types, connections } = settings;
  const changed = {
    ...openSettings(opened, id, row),
    ...(url !== undefined && { url }),
    ...('description' in settings && { description: settings.description }),
  };
  await opened.db
    .updateTable('webhook_endpoints')
    .set({
      ...(form !== undefined && { form }),
      ...('types' in settings && { types: copyOf(types) }),
      ...('connections' in settings && { connections: copyOf(connections) }),
      ...{ ...sealSettings(opened, id, changed), updated_at: sql<Date>`now()` },
    })
    .where('id', '=', id)
    .execute();
}

async function changeStatus(
  opened: Opened,
  id: string,
  status: StoredEndpoint['status'],
  by: string,
): Promise<void> {
  const isEnabled = status === 'enabled';
  await opened.db
    .updateTable('webhook_endpoints')
    .set({
      status,
      disabled_because: isEnabled ? null : 'request',
      disabled_at: isEnabled ? null : sql<Date>`now()`,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute();
  if (isEnabled) {
    await startAgain(opened, id);
    await resolveFlag(opened, id, 'endpoint_disabled', { by });
  }
  await storeEndpointEvent(opened, await endpointOf(opened, id), `webhook_endpoint.${status}`, { by });
}

/** Failed events are sent again at once, and again have three days until they are set aside. An activity that still delivers reads them again. */
async function startAgain({ db }: Opened, id: string): Promise<void> {
  await db
    .updateTable('webhook_cursors')
    .set({ failing_since: null, lease: null })
    .where('endpoint_id', '=', id)
    .execute();
  const now = sql<Date>`now()`;
  await db
    .updateTable('webhook_waiting')
    .set({ since: now, attempts: 0, next_at: now })
    .where('endpoint_id', '=', id)
    .execute();
}

const deleteEndpoint = ({ db, keyring }: Opened, id: string, by: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const opened: Opened = { db: trx, keyring };
    if ((await lockedEndpoint(opened, id)) === undefined) return false;
    await storeEndpointEvent(opened, await endpointOf(opened, id), 'webhook_endpoint.deleted', { by });
    await trx.deleteFrom('webhook_endpoints').where('id', '=', id).execute();
    return true;
  });

export interface FlagResolution {
  code: Attention['code'];
  by: string;
  reason: string;
  /** A repeat with it changes nothing. Undefined: each request is another one. */
  use: CommandUse | undefined;
}

/** @returns `not_raised`, `conflict` if the key was used for another body, or undefined if there is no such endpoint. */
const resolveFlagOf = (
  { db, keyring }: Opened,
  id: string,
  { code, use, ...resolution }: FlagResolution,
): Promise<StoredEndpoint | 'not_raised' | 'conflict' | undefined> =>
  db.transaction().execute(async (trx) => {
    const opened: Opened = { db: trx, keyring };
    if ((await lockedEndpoint(opened, id)) === undefined) return undefined;
    const before = await madeBefore(opened, use);
    if (before === 'conflict') return 'conflict';
    if (before !== undefined) return endpointOf(opened, id);
    if (!(await resolveFlag(opened, id, code, resolution))) return 'not_raised';
    await rememberUse(opened, use, id);
    return endpointOf(opened, id);
  });

async function resolveFlag(
  opened: Opened,
  id: string,
  code: Attention['code'],
  resolution: { by: string; reason?: string },
): Promise<boolean> {
  const { attention } = await endpointOf(opened, id);
  const flag = attention.find((one) => one.code === code);
  if (flag === undefined) return false;
  await opened.db
    .updateTable('webhook_endpoints')
    .set({ attention: JSON.stringify(lower(attention, code)), updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
  await storeEndpointEvent(opened, await endpointOf(opened, id), 'attention.resolved', {
    ...resolution,
    flag,
  });
  return true;
}
