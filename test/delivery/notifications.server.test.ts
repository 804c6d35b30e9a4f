import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { followActivities } from '../../activities/follow-if-there.js';
import { storedAs } from '../../delivery/notifications.js';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { connectionWorkflowId } from '../../workflows/connection/contract.js';
import { getNotification, notificationWorkflowId } from '../../workflows/notification/contract.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { active, ofAgreement, ofPayment, reaches, useDoor } from '../support/api/gateway.js';
import { eventually, queried } from '../support/temporal.js';
import { consentTo, exchangeCode } from '../support/workflows/connections.js';
import { fetchedAgreement, only } from '../support/workflows/provider.js';

const requested: string[] = [];
const find = ({ uid }: { uid: string }) => {
  requested.push(uid);
  return Promise.resolve(uid.startsWith('there') ? {} : null);
};
const { temporal, withDoor } = useDoor(
  only({
    exchangeCode,
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    adoptAgreement: ({ uid, connectionId = '' }) =>
      Promise.resolve({ ...fetchedAgreement(uid, 'active'), owner: connectionId }),
    lookUpAgreement: ({ uid }) => {
      requested.push(uid);
      return Promise.resolve(fetchedAgreement(uid, 'active'));
    },
    followIfThere: (args) => {
      const reads = { agreement: { find }, payment: { find }, refund: { find } };
      return followActivities(
        { temporal: temporal.client, taskQueue: temporal.taskQueue },
        reads,
      ).followIfThere(args);
    },
  }),
);
const provenBy = (connection: string) => ({ namedConnectionId: connection, provenConnectionId: connection });
const handle = (id: string) => temporal.client.workflow.getHandle(id);
const stored = ({ fact }: ReturnType<typeof ofPayment>) =>
  queried(handle(notificationWorkflowId(storedAs(fact))), getNotification);

test('an event about an unknown uid starts a run only if the connection whose secret proves it has the resource', async () => {
  await withDoor(async (door, connection) => {
    await consentTo(handle(connectionWorkflowId(connection)));
    const uid = `there-${randomUUID()}`;
    const there = ofAgreement(uid, provenBy(connection));
    await door.deliver(there, connection);
    expect(await reaches(door, uid, 'active')).toMatchObject({ connectionId: connection, adopted: true });
    await eventually(
      () => stored(there),
      ({ state }) => state === 'acknowledged',
    );
    const absent = ofPayment(`p-${randomUUID()}`, provenBy(connection));
    const powerless = ofPayment(`p-${randomUUID()}`, provenBy('gone'));
    requested.length = 0;
    for (const one of [powerless, absent, absent]) {
      await door.deliver(one, undefined);
      expect(await stored(one)).toMatchObject({ state: 'open', attention: [{ code: 'orphan' }] });
      await expect(handle(paymentWorkflowId(one.uid ?? '')).describe()).rejects.toThrow(/not found/);
    }
    await eventually(
      () => Promise.resolve(requested),
      (uids) => uids.length > 0,
    );
    expect(requested).toEqual([absent.uid]);
  });
});

test('a connection without a consent proves facts only about its own resources', async () => {
  await withDoor(async (door, connection) => {
    const { uid } = await active(door, connection);
    requested.length = 0;
    await door.deliver(ofAgreement(uid, { type: 'suspended', ...provenBy('gone') }), undefined);
    await door.deliver(ofAgreement(uid, { type: 'amended', ...provenBy('gone') }), undefined);
    expect(await reaches(door, uid, 'active')).toMatchObject({ attention: [] });
    expect(requested).toEqual([]);
    await door.deliver(ofAgreement(uid, { type: 'suspended', ...provenBy(connection) }), connection);
    await reaches(door, uid, 'suspended');
  });
});

test('an event reopens a run only on the connection whose secret proves it', async () => {
  await withDoor(async (door, connection) => {
    const { uid } = await active(door, connection);
    const run = handle(agreementWorkflowId(uid));
    await door.deliver(ofAgreement(uid, { type: 'cancelled' }), undefined);
    await run.result();
    const of = (sender: string) => ofAgreement(uid, { type: 'cancelled', ...provenBy(sender) });
    const foreign = of('gone');
    await door.deliver(foreign, undefined);
    expect(await stored(foreign)).toMatchObject({ state: 'open' });
    expect((await run.describe()).status.name).toBe('COMPLETED');
    await door.deliver(of(connection), connection);
    expect((await run.describe()).status.name).toBe('RUNNING');
  });
});
