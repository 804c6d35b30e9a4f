import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readEvents } from '../../records/events.js';
import { storeOwnEvent } from '../../records/own-events.js';
import { sealWebhook } from '../../records/sealed.js';
import {
  MOST_ENDPOINTS,
  MOST_OF_PRINCIPAL,
  createWebhookEndpoints,
  type NewEndpoint,
} from '../../records/webhook-endpoints.js';
import { aDatabase } from '../support/database.js';
import { KEYRING, eventually } from '../support/temporal.js';

const SETTINGS = {
  ...{ url: 'https://backend.test/events', description: undefined, form: 'full' as const },
  ...{ types: ['payment.*'], connections: undefined },
};

const USE = { key: 'k-1', body: 'body' };
const OTHER_BODY = { key: 'k-1', body: 'other' };

const aRequest = (of: Partial<NewEndpoint> = {}): NewEndpoint => ({
  ...{
    id: randomUUID(),
    principal: 'shop',
    apiKeyId: 'shop-1',
    keyScopes: ['read'],
    keyConnections: undefined,
  },
  ...{ requestKey: randomUUID(), requestDigest: 'body', settings: SETTINGS },
  ...of,
});

async function aRoom() {
  const { application, owner } = await aDatabase();
  const { db } = application;
  const opened = { db, keyring: KEYRING };
  const endpoints = createWebhookEndpoints(opened);
  const created = async (of: Partial<NewEndpoint> = {}) => {
    const creation = await endpoints.create(aRequest(of));
    if (creation.is !== 'created') throw new Error(`expected an endpoint; ${creation.is}`);
    return creation;
  };
  const events = async () => (await readEvents(opened, { limit: 100 })).events;
  const anEvent = (what: string) =>
    storeOwnEvent(opened, {
      ...{ type: 'settlement.reported', resource: 'settlement', uid: what, connectionId: undefined },
      ...{ at: new Date(), what, view: {} },
    });
  return { db, owner: owner.db, endpoints, created, events, anEvent };
}

test('repeats of a creation make one endpoint with one secret, and another body is a conflict', async () => {
  const { endpoints, events } = await aRoom();
  const request = aRequest();
  const repeats = await Promise.all([1, 2, 3].map(() => endpoints.create({ ...request, id: randomUUID() })));
  const secrets = repeats.map((one) => ('secret' in one ? one.secret : one.is));
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(await endpoints.create({ ...request, requestDigest: 'other' })).toEqual({ is: 'conflict' });
  expect(await endpoints.create({ ...request, apiKeyId: 'shop-2' })).toEqual({ is: 'other_key' });
  expect(await endpoints.list()).toMatchObject([{ ...SETTINGS, status: 'enabled', isKeyConfirmed: true }]);
  await eventually(events, (found) => found.length === 1);
});

test.each(['it was replaced', 'a day has passed'])(
  'a repeated creation has no secret after %s',
  async (when) => {
    const { db, endpoints, created } = await aRoom();
    const request = aRequest();
    const { endpoint } = await created(request);
    if (when === 'it was replaced')
      await endpoints.rotateSecret(endpoint.id, { overlapHours: 24, use: undefined });
    else await sql`update webhook_secrets set created_at = now() - interval '25 hours'`.execute(db);
    expect(await endpoints.create(request)).toMatchObject({
      ...{ is: 'repeated', endpoint: { id: endpoint.id }, secret: undefined },
    });
  },
);

test('nothing of an endpoint is in clear that a caller chose freely', async () => {
  const { db, created } = await aRoom();
  const { secret } = await created({ settings: { ...SETTINGS, description: 'orders of Ann' } });
  const { rows } = await sql<{ text: string }>`
    select webhook_endpoints::text || webhook_secrets::text as text from webhook_endpoints, webhook_secrets
  `.execute(db);
  for (const clear of [secret, 'backend.test', 'Ann'].flatMap((text) => [
    text,
    Buffer.from(text).toString('hex'),
  ]))
    expect(rows[0]?.text).not.toContain(clear);
});

test('there are at most 20 endpoints of a principal, and 100 in all', async () => {
  const { endpoints, created } = await aRoom();
  for (let count = 0; count < MOST_ENDPOINTS; count += 1)
    await created({ principal: `shop-${Math.floor(count / MOST_OF_PRINCIPAL)}` });
  expect(await endpoints.create(aRequest({ principal: 'shop-0' }))).toEqual({
    ...{ is: 'too_many', of: 'principal' },
  });
  expect(await endpoints.create(aRequest())).toEqual({ is: 'too_many', of: 'all' });
});

test('an endpoint begins with new events, and shows how far it is', async () => {
  const { created, anEvent, endpoints, events } = await aRoom();
  await anEvent('before');
  await eventually(events, (found) => found.length === 1);
  const before = (await events())[0]?.recordedAt ?? '';
  const { endpoint } = await created();
  await anEvent('after');
  await eventually(events, (found) => found.length === 3);
  const { progress } = (await endpoints.read(endpoint.id)) ?? endpoint;
  expect(progress.upToDateUntil > before).toBe(true);
  expect(progress.upToDateUntil <= ((await events()).at(-1)?.recordedAt ?? '')).toBe(true);
});

test('enabling clears what disabled an endpoint, and what waits is tried at once', async () => {
  const { db, created, endpoints, events } = await aRoom();
  const { id } = (await created()).endpoint;
  const flag = {
    code: 'endpoint_disabled' as const,
    since: '2026-10-01T00:00:00.000Z',
    detail: 'd',
    next: 'n',
  };
  await db
    .updateTable('webhook_endpoints')
    .set({ status: 'disabled', disabled_because: 'failing', attention: JSON.stringify([flag]) })
    .execute();
  await sql`update webhook_cursors set failing_since = '2026-09-28'`.execute(db);
  await sql`insert into webhook_waiting (endpoint_id, cursor_id, workflow_id, era, transaction, position, since, attempts, next_at)
    values (${id}, 'live', 'payment/1', 1, '1', 1, '2026-09-28', 9, '2099-01-01')`.execute(db);
  const enabled = await endpoints.change(id, { settings: {}, status: 'enabled', by: 'shop' });
  expect(enabled).toMatchObject({ status: 'enabled', disabledBecause: undefined, attention: [] });
  expect(enabled?.progress).toMatchObject({ failingSince: undefined, waitingResources: 1 });
  const { rows } = await sql<{ attempts: number; due: boolean }>`
    select attempts, next_at <= now() and since > now() - interval '1 minute' as due from webhook_waiting
  `.execute(db);
  expect(rows).toEqual([{ attempts: 0, due: true }]);
  const found = await eventually(events, ({ length }) => length === 3);
  expect(found.map(({ type, cause }) => [type, cause?.by])).toEqual([
    ['webhook_endpoint.created', 'shop'],
    ['attention.resolved', 'shop'],
    ['webhook_endpoint.enabled', 'shop'],
  ]);
  expect(found[1]?.own).toMatchObject(flag);
});

test('a change leaves the rest, a flag is resolved once, and a deleted endpoint leaves nothing', async () => {
  const { db, created, endpoints } = await aRoom();
  const { id } = (await created()).endpoint;
  expect(await endpoints.change(id, { settings: { types: undefined }, by: 'shop' })).toMatchObject({
    ...{ url: SETTINGS.url, types: undefined, form: 'full', status: 'enabled' },
  });
  const before = (await endpoints.read(id))?.updatedAt;
  await endpoints.change(id, { settings: {}, status: 'enabled', by: 'shop' });
  expect((await endpoints.read(id))?.updatedAt).toBe(before);
  const resolution = { code: 'undelivered' as const, by: 'operator', reason: 'sent by hand', use: USE };
  expect(await endpoints.resolveFlag(id, resolution)).toBe('not_raised');
  const flag = { code: 'undelivered', since: '2026-10-01T00:00:00.000Z', detail: 'd', next: 'n' };
  await db
    .updateTable('webhook_endpoints')
    .set({ attention: JSON.stringify([flag]) })
    .execute();
  for (let repeat = 0; repeat < 2; repeat += 1)
    expect(await endpoints.resolveFlag(id, resolution)).toMatchObject({ id, attention: [] });
  expect(await endpoints.resolveFlag(id, { ...resolution, use: OTHER_BODY })).toBe('conflict');
  expect(await endpoints.remove(id, 'shop')).toBe(true);
  expect(await endpoints.remove(id, 'shop')).toBe(false);
  expect(await endpoints.resolveFlag(id, resolution)).toBeUndefined();
  for (const table of ['webhook_secrets', 'webhook_cursors'] as const)
    expect(await db.selectFrom(table).select('endpoint_id').execute()).toEqual([]);
});

test('the older secret expires after the overlap, and a repeated rotation makes no other one', async () => {
  const { db, created, endpoints } = await aRoom();
  const { endpoint, secret } = await created();
  const rotation = { overlapHours: 2, use: USE };
  const second = await endpoints.rotateSecret(endpoint.id, rotation);
  expect(await endpoints.rotateSecret(endpoint.id, rotation)).toEqual({ ...second, is: 'repeated' });
  expect(await endpoints.rotateSecret(endpoint.id, { ...rotation, use: OTHER_BODY })).toEqual({
    is: 'conflict',
  });
  expect(second).not.toMatchObject({ secret });
  const signing = async () => {
    const { rows } = await sql<{ hours: number | null }>`
      select round(extract(epoch from expires_at - now()) / 3600)::integer as hours
      from webhook_secrets order by created_at`.execute(db);
    return rows.map(({ hours }) => hours);
  };
  expect(await signing()).toEqual([2, null]);
  await endpoints.rotateSecret(endpoint.id, { overlapHours: 24, use: undefined });
  expect(await signing()).toEqual([2, 24, null]);
  await endpoints.rotateSecret(endpoint.id, { overlapHours: 0, use: undefined });
  expect(await signing()).toEqual([null]);
  expect(await endpoints.rotateSecret(endpoint.id, rotation)).toEqual({ is: 'repeated', secret: undefined });
  expect(await signing()).toEqual([null]);
  expect(await endpoints.rotateSecret('other', rotation)).toEqual({ is: 'no_endpoint' });
});

test('one replay runs at a time, from a time until now, and not from before the retention', async () => {
  const { db, owner, created, anEvent, endpoints, events } = await aRoom();
  await anEvent('first');
  const since = (await eventually(events, ({ length }) => length === 1))[0]?.recordedAt ?? '';
  const { id } = (await created()).endpoint;
  await eventually(events, ({ length }) => length === 2);
  const replay = { since, types: ['settlement.*'], use: USE };
  expect(await endpoints.startReplay(id, replay)).toEqual({ is: 'started' });
  expect(await endpoints.startReplay(id, replay)).toEqual({ is: 'repeated' });
  expect(await endpoints.startReplay(id, { ...replay, use: OTHER_BODY })).toEqual({ is: 'conflict' });
  const next = { ...replay, use: { ...USE, key: 'k-2' } };
  expect(await endpoints.startReplay(id, next)).toEqual({ is: 'unfinished' });
  expect((await endpoints.read(id))?.progress.replays).toBe(1);
  const cursors = await db.selectFrom('webhook_cursors').selectAll().where('id', '<>', 'live').execute();
  const [first] = await events();
  expect(cursors).toMatchObject([{ era: first?.place[0], position: (first?.place[2] ?? 0) - 1 }]);
  await sql`update webhook_cursors set ended_at = now() where id <> 'live'`.execute(db);
  const later = { ...replay, since: '2150-01-01T00:00:00.000Z', use: undefined };
  expect(await endpoints.startReplay(id, later)).toEqual({ is: 'nothing_since' });
  await sql`update feed_era set events_expired_before = '2026-01-01'`.execute(owner);
  const old = { ...replay, since: '2025-01-01T00:00:00.000Z', use: undefined };
  expect(await endpoints.startReplay(id, old)).toMatchObject({ is: 'expired' });
});

test('a confirmation renews what a key may see, and names enabled endpoints without a delivery', async () => {
  const { db, created, endpoints } = await aRoom();
  const { id } = (await created()).endpoint;
  const { endpoint: disabled } = await created();
  await endpoints.change(disabled.id, { settings: {}, status: 'disabled', by: 'shop' });
  await sql`update webhook_endpoints set key_confirmed_at = now() - interval '6 minutes'`.execute(db);
  expect(await endpoints.read(id)).toMatchObject({ isKeyConfirmed: false });
  const key = { id: 'shop-1', principal: 'shop', scopes: ['read', 'personal'], connections: ['acme'] };
  expect(
    await endpoints.confirmKeys([
      { ...key, principal: 'other' },
      { ...key, id: 'shop-2' },
    ]),
  ).toEqual([]);
  expect(await endpoints.read(id)).toMatchObject({ isKeyConfirmed: false });
  expect(await endpoints.confirmKeys([key])).toEqual([{ id, isDelivered: false }]);
  expect(await endpoints.read(id)).toMatchObject({
    ...{ isKeyConfirmed: true, keyScopes: ['read', 'personal'], keyConnections: ['acme'] },
  });
  await sql`update webhook_cursors set lease = 'worker'`.execute(db);
  expect(await endpoints.confirmKeys([{ ...key, connections: undefined }])).toEqual([
    { id, isDelivered: true },
  ]);
  expect((await endpoints.read(id))?.keyConnections).toBeUndefined();
  expect(await endpoints.confirmKeys([])).toEqual([]);
});

test('deliveries have pages, newest first, and filters', async () => {
  const { db, created, endpoints } = await aRoom();
  const { id: endpointId } = (await created()).endpoint;
  for (const [index, outcome] of ['failed', 'failed', 'delivered', 'delivered'].entries()) {
    const { key_id, sealed } = sealWebhook(KEYRING, 'webhook_deliveries', `d-${index}`, {
      answer: `a-${index}`,
    });
    await sql`insert into webhook_deliveries (id, endpoint_id, cursor_id, event_id, event_type, resource, uid, attempt, at, duration_ms, outcome, key_id, sealed)
      values (${`d-${index}`}, ${endpointId}, 'live', ${`evt_${index % 2}`}, 'payment.settled', 'payment', 'p', 1,
        timestamptz '2026-10-01 00:00:00.000001Z' + make_interval(secs => ${index < 2 ? 0 : 0.000001}), 5, ${outcome}, ${key_id}, ${sealed})`.execute(
      db,
    );
  }
  const ids = async (request: object) => {
    const read: string[] = [];
    for (let before: readonly [string, string] | undefined; ;) {
      const page = await endpoints.deliveries(endpointId, { ...request, before, limit: 1 });
      read.push(...page.deliveries.map(({ id }) => id));
      if (page.next === undefined) return read;
      before = page.next;
    }
  };
  expect(await ids({})).toEqual(['d-3', 'd-2', 'd-1', 'd-0']);
  expect(await ids({ outcome: 'failed' })).toEqual(['d-1', 'd-0']);
  expect(await ids({ eventId: 'evt_1' })).toEqual(['d-3', 'd-1']);
  expect(await endpoints.delivery(endpointId, 'd-2')).toMatchObject({ answer: 'a-2', status: undefined });
  expect(await endpoints.delivery('other', 'd-2')).toBeUndefined();
});
