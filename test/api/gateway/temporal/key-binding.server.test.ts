import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { copyKeyActivity } from '../../../../activities/copy-key.js';
import { createGateway, type Gateway } from '../../../../api/gateway/create.js';
import { keyWorkflowId } from '../../../../workflows/key/contract.js';
import { aMandate } from '../../../support/api/builders.js';
import { boundKeys, refusal, useDoor } from '../../../support/api/gateway.js';
import { RECORDS_AWAY } from '../../../support/records-away.js';
import { eventually } from '../../../support/temporal.js';
import { fetchedAgreement, only } from '../../../support/workflows/provider.js';
import type { KeyBindings, KeyRequest } from '../../../../domain/records/bound-key.js';

let isAway = false;
const bindings: KeyBindings = {
  bindKey: async (request) => {
    if (isAway) throw new Error('the records are away');
    return boundKeys().bindKey(request);
  },
  flagRow: (of, flag) => boundKeys().flagRow(of, flag),
};
const { temporal, withDoor } = useDoor({
  ...only({ createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')) }),
  copyKey: (request: KeyRequest) =>
    copyKeyActivity({ temporal: temporal.client, records: bindings }, { admittedMs: 0 })(request),
});

const CONFLICT = { code: 'idempotency_conflict' };
const aUid = () => `a-${randomUUID()}`;
const away = () => createGateway(temporal.client, temporal.taskQueue, RECORDS_AWAY);

interface Requested {
  connection: string;
  uid: string;
  key?: string;
  body?: string;
  over?: object;
}
const start = (door: Gateway, { connection, uid, key, body = 'digest', over = {} }: Requested) =>
  door.agreements.start({
    ...{ uid, connection, mandate: { ...aMandate(), ...over } },
    ...(key !== undefined && { use: { key, uid, body } }),
  });
const statusOf = async (key: string) =>
  (await temporal.client.workflow.getHandle(keyWorkflowId(key)).describe()).status.name;
const end = async (...uids: string[]) => {
  for (const uid of uids) await temporal.client.workflow.getHandle(`agreement/${uid}`).terminate();
};

test('a key is bound to the first uid and body received with it, without a run', async () => {
  await withDoor(async (door, connection) => {
    const [key, uid, other] = [randomUUID(), aUid(), aUid()];
    const unknown = { connection: `c-${randomUUID()}`, uid, key, body: 'other' };
    expect(await refusal(start(door, unknown))).toMatchObject({ code: 'connection_unknown' });
    for (const first of [true, false])
      expect(await start(door, { connection, uid, key }), `${first}`).toMatchObject({ uid });
    for (const over of [{ uid: other }, { body: 'other' }])
      expect(await refusal(start(door, { connection, uid, key, ...over }))).toMatchObject(CONFLICT);
    expect(await refusal(start(door, unknown))).toMatchObject(CONFLICT);
    expect(await door.agreements.view(other)).toBeUndefined();
    await expect(statusOf(key)).rejects.toThrow('not found');
    await end(uid);
  });
});

test.each([false, true])('a refused first request leaves its key free (records away: %s)', async (isDown) => {
  await withDoor(async (door, connection) => {
    isAway = isDown;
    const at = isDown ? away() : door;
    const [key, taken, uid] = [randomUUID(), aUid(), aUid()];
    await start(door, { connection, uid: taken });
    const over = { short_description: 'another' };
    expect(await refusal(start(at, { connection, uid: taken, key, over }))).toMatchObject(CONFLICT);
    expect(await start(at, { connection, uid, key })).toMatchObject({ uid });
    expect(await refusal(start(at, { connection, uid: aUid(), key }))).toMatchObject(CONFLICT);
    await end(taken, uid);
    isAway = false;
  });
});

test('a process that dies between key and start leaves nothing stuck', async () => {
  await withDoor(async (door, connection) => {
    const [key, uid] = [randomUUID(), aUid()];
    await boundKeys().bindKey({ key, resource: 'agreement', uid, body: 'digest' });
    expect(await start(door, { connection, uid, key })).toMatchObject({ uid });
    await end(uid);
  });
});

test('a run binds a key while the records are away, until it has copied it, and afterwards', async () => {
  await withDoor(async (door, connection) => {
    isAway = true;
    const [key, uid] = [randomUUID(), aUid()];
    for (const first of [true, false])
      expect(await start(away(), { connection, uid, key }), `${first}`).toMatchObject({ uid });
    const other = { connection, uid: aUid(), key };
    for (const at of [away(), door]) expect(await refusal(start(at, other))).toMatchObject(CONFLICT);
    expect(await start(door, { connection, uid, key })).toMatchObject({ uid });
    expect(await statusOf(key)).toBe('RUNNING');
    isAway = false;
    await temporal.client.workflow.getHandle(keyWorkflowId(key)).result();
    for (const at of [away(), door]) expect(await refusal(start(at, other))).toMatchObject(CONFLICT);
    await end(uid);
  });
});

test('two requests that were accepted with one key flag both things', async () => {
  await withDoor(async (door, connection) => {
    const [key, uid, other] = [randomUUID(), aUid(), aUid()];
    await start(door, { connection, uid, key });
    await start(away(), { connection, uid: other, key });
    for (const [one, named] of [
      [uid, other],
      [other, uid],
    ] as const) {
      const view = await eventually(
        () => door.agreements.view(one),
        (found) => found?.attention.length === 1,
      );
      expect(view?.attention).toMatchObject([
        { code: 'conflict', detail: expect.stringContaining(named) as string },
      ]);
    }
    await end(uid, other);
  });
});
