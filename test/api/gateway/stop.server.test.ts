import { expect, test } from 'vitest';
import { createGateway } from '../../../api/gateway/create.js';
import { STOP_WORKFLOW_ID } from '../../../workflows/stop/contract.js';
import { useTemporal } from '../../support/temporal.js';
import type { StopGateway } from '../../../api/gateway/stop.js';

const temporal = useTemporal({ isAlone: true });
const ALL = { reason: 'looks wrong', by: 'key-1' };
const COMMANDS = 50;

const withDoor = (work: (door: StopGateway) => Promise<void>): Promise<void> =>
  temporal.run({}, () => work(createGateway(temporal.client, temporal.taskQueue).stop));

const newestRunId = async (): Promise<string> =>
  (await temporal.client.workflow.getHandle(STOP_WORKFLOW_ID).describe()).runId;

test('a stop is made once however many ask for it, and outlives its run', async () => {
  await withDoor(async (door) => {
    expect(await door.view()).toMatchObject({ stops: [] });
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => door.stop({ ...ALL, by: `${index}` })),
    );
    const [first] = answers.map(([stop]) => stop);
    expect(answers).toEqual(answers.map(() => [first]));
    const firstRunId = await newestRunId();
    for (let index = 0; index < COMMANDS; index += 1)
      await (index % 2 === 0 ? door.resume : door.stop)({ reason: `case ${index}`, by: 'key-2' });
    expect(await newestRunId()).not.toBe(firstRunId);
    const stops = [{ reason: `case ${COMMANDS - 1}`, by: 'key-2' }];
    expect(await door.view()).toMatchObject({ stops });
  });
});

test('one whose run was ended by force stays in force until it is lifted', async () => {
  await withDoor(async (door) => {
    await door.stop(ALL);
    await temporal.client.workflow.getHandle(STOP_WORKFLOW_ID).terminate('in a test');
    expect(await door.view()).toMatchObject({ stops: [{ reason: ALL.reason }] });
    expect(await door.resume(ALL)).toEqual([]);
    expect(await door.view()).toMatchObject({ stops: [] });
  });
});
