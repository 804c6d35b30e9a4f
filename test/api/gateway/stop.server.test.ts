import { expect, test } from 'vitest';
import { RECORDS_AWAY } from '../../support/records-away.js';
import { createGateway } from '../../../api/gateway/create.js';
import { STOP_WORKFLOW_ID } from '../../../workflows/stop/contract.js';
import { handedOver } from '../../replay/lives.js';
import { useTemporal } from '../../support/temporal.js';
import type { StopGateway } from '../../../api/gateway/stop.js';

const temporal = useTemporal({ isAlone: true });
const ALL = { reason: 'looks wrong', by: 'key-1' };

const withDoor = (work: (door: StopGateway) => Promise<void>): Promise<void> =>
  temporal.run({}, () => work(createGateway(temporal.client, temporal.taskQueue, RECORDS_AWAY).stop));

test('stops survive continue-as-new and termination of their workflow', async () => {
  await withDoor(async (door) => {
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
    expect(await door.resume({ ...ALL, stoppedBy: 'key-2', approvedBy: 'risk' })).toEqual(first);
    await run.terminate('in a test');
    expect(await door.view()).toMatchObject({ stops: [ALL] });
    expect(await door.resume(ALL)).toEqual([]);
    expect(await door.view()).toMatchObject({ stops: [] });
  });
});
