import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { keyWorkflowId } from '../../../../workflows/key/contract.js';
import { aMandate } from '../../../support/api/builders.js';
import { refusal, useDoor } from '../../../support/api/gateway.js';
import { fetchedAgreement, only } from '../../../support/workflows/provider.js';

const { temporal, withDoor } = useDoor(
  only({ createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')) }),
);

test('an idempotency key is bound to the first uid and body received with it', async () => {
  await withDoor(async (door, connection) => {
    const [uid, otherUid] = [`a-${randomUUID()}`, `a-${randomUUID()}`];
    const use = { key: randomUUID(), uid, body: 'digest' };
    const start = (over: Partial<typeof use> = {}, named: string | undefined = connection) => {
      const asked = { ...use, ...over };
      return door.agreements.start({ uid: asked.uid, connection: named, mandate: aMandate(), use: asked });
    };
    const conflict = { code: 'idempotency_conflict' };
    expect(await refusal(start({ body: 'other' }, `c-${randomUUID()}`))).toMatchObject({
      code: 'connection_unknown',
    });
    for (const first of [true, false]) expect(await start(), `${first}`).toMatchObject({ uid });
    expect(await refusal(start({ uid: otherUid }))).toMatchObject(conflict);
    expect(await refusal(start({ body: 'other' }))).toMatchObject(conflict);
    expect(await refusal(start({ body: 'other' }, `c-${randomUUID()}`))).toMatchObject(conflict);
    expect(await door.agreements.view(otherUid)).toBeUndefined();
    const run = temporal.client.workflow.getHandle(keyWorkflowId(use.key));
    expect(await run.result()).toEqual({ uid, body: 'digest' });
    expect((await run.fetchHistory()).events).toHaveLength(5);
    await temporal.client.workflow.getHandle(`agreement/${uid}`).terminate();
  });
});

test('a refused first request leaves its key free for the corrected one', async () => {
  await withDoor(async (door, connection) => {
    const [taken, uid] = [`a-${randomUUID()}`, `a-${randomUUID()}`];
    const use = { key: randomUUID(), body: 'digest' };
    const start = (named: string, over: object, keyed: boolean) =>
      door.agreements.start({
        ...{ uid: named, connection, mandate: { ...aMandate(), ...over } },
        ...(keyed && { use: { ...use, uid: named } }),
      });
    await start(taken, {}, false);
    expect(await refusal(start(taken, { short_description: 'another' }, true))).toMatchObject({
      code: 'idempotency_conflict',
    });
    expect(await start(uid, {}, true)).toMatchObject({ uid });
    expect(await refusal(start(`a-${randomUUID()}`, {}, true))).toMatchObject({
      code: 'idempotency_conflict',
    });
    for (const one of [taken, uid]) await temporal.client.workflow.getHandle(`agreement/${one}`).terminate();
  });
});
