import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { RECORDS_AWAY } from '../../support/records-away.js';
import { createGateway, type Gateway } from '../../../api/gateway/create.js';
import { STOP_WORKFLOW_ID } from '../../../workflows/stop/contract.js';
import { handedOver } from '../../replay/lives.js';
import { useTemporal } from '../../support/temporal.js';

const temporal = useTemporal({ isAlone: true });
const ALL = { reason: 'looks wrong', by: 'key-1' };

const withDoor = (work: (gateway: Gateway) => Promise<void>): Promise<void> =>
  temporal.run({}, () => work(createGateway(temporal.client, temporal.taskQueue, RECORDS_AWAY)));

test('stops survive continue-as-new and termination of their workflow, and an approval does not end later ones', async () => {
  await withDoor(async ({ stop: door, approvals }) => {
    expect(await door.view()).toMatchObject({ stops: [] });
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => door.stop(ALL)));
    expect([...new Set(others.map((stops) => JSON.stringify(stops)))]).toEqual([JSON.stringify(first)]);
    const run = temporal.client.workflow.getHandle(STOP_WORKFLOW_ID);
    await run.cancel();
    await handedOver(temporal, run);
    await door.stop({ ...ALL, by: 'key-2' });
    expect(await door.view()).toMatchObject({ stops: [ALL, { ...ALL, by: 'key-2' }] });
    await expect(door.resume({ ...ALL, stoppedBy: 'key-2' })).rejects.toMatchObject({
      code: 'stop_of_another',
    });
    const requested = { operation: 'resumePayments', target: '/v1/stop/resumption', digest: 'd' };
    const { requestedAt } = await approvals.request(randomUUID(), { ...requested, requestedBy: ALL.by });
    const later = { reason: 'fraud', by: 'key-2' };
    await door.stop(later);
    const approval = { by: 'risk', requestedAt };
    expect(await door.resume({ ...ALL, stoppedBy: 'key-2', approval })).toMatchObject([ALL, later]);
    expect(await door.resume(later)).toEqual(first);
    await run.terminate('in a test');
    expect(await door.view()).toMatchObject({ stops: [ALL] });
    expect(await door.resume(ALL)).toEqual([]);
    expect(await door.view()).toMatchObject({ stops: [] });
  });
});
