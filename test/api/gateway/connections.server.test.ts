import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRecorded } from '../../../api/gateway/records.js';
import { RECORDS_AWAY } from '../../support/records-away.js';
import { createCalls } from '../../../api/gateway/temporal/calls.js';
import { createConnectionChoice } from '../../../api/gateway/connection-choice.js';
import { createConnectionsGateway, type ConnectionsGateway } from '../../../api/gateway/connections.js';
import { connectionWorkflowId } from '../../../workflows/connection/contract.js';
import { useTemporal } from '../../support/temporal.js';
import { exchangeCode } from '../../support/workflows/connections.js';
import { only } from '../../support/workflows/provider.js';
import { now, refusal } from '../../support/api/gateway.js';

const temporal = useTemporal();
const ANSWER = { round: 1, expiresAt: now(), browser: 'a browser', sealedCode: 'sealed' };
const REVOCATION = { reason: 'a test', by: 'ops' };

async function endingOnceSeen(work: (door: ConnectionsGateway, id: string) => Promise<void>): Promise<void> {
  await temporal.run(only({}), async () => {
    const { client, taskQueue } = temporal;
    const calls = createCalls({
      client,
      taskQueue,
      recorded: createRecorded(RECORDS_AWAY),
    });
    const describe: typeof calls.describe = async (workflowId) => {
      const seen = await calls.describe(workflowId);
      await client.workflow.getHandle(workflowId).terminate('a test');
      return seen;
    };
    const door = createConnectionsGateway({ ...calls, describe }, createConnectionChoice(calls));
    const id = `c-${randomUUID()}`;
    await door.begin(id);
    await work(door, id);
    const { status } = await client.workflow.getHandle(connectionWorkflowId(id)).describe();
    expect(status.name).toBe('TERMINATED');
  });
}

test('reauthorisation and revocation answer not_found if the connection ends during the call', async () => {
  const notFound = { code: 'not_found' };
  await endingOnceSeen(async (door, id) =>
    expect(await refusal(door.reauthorise(id))).toMatchObject(notFound),
  );
  await endingOnceSeen(async (door, id) =>
    expect(await refusal(door.revoke(id, REVOCATION))).toMatchObject(notFound),
  );
});

test('consent answers consent_round_unknown if the connection ends during the call', async () => {
  await endingOnceSeen(async (door, id) =>
    expect(await door.complete(id, ANSWER)).toEqual({
      refused: 'consent_round_unknown',
    }),
  );
});

test('concurrent reauthorisations with one key return the same valid link', async () => {
  await temporal.run(only({ exchangeCode }), async () => {
    const calls = createCalls({
      client: temporal.client,
      taskQueue: temporal.taskQueue,
      recorded: createRecorded(RECORDS_AWAY),
    });
    const door = createConnectionsGateway(calls, createConnectionChoice(calls));
    const id = `c-${randomUUID()}`;
    await door.begin(id);
    const other = { code: 'other_account' };
    expect(await refusal(door.begin(id, { expectedAccount: 'acc-2' }))).toMatchObject(other);
    const [link, ...others] = await Promise.all(
      Array.from({ length: 3 }, () => door.reauthorise(id, { key: 'job 7' })),
    );
    expect(others).toEqual([link, link]);
    const answer = { ...ANSWER, ...link };
    expect(await door.useTicket(id, answer)).toEqual({});
    expect(await door.useTicket(id, { ...answer, browser: 'another' })).toEqual({
      refused: 'consent_begun_elsewhere',
    });
    expect(await door.complete(id, { ...answer, browser: 'another' })).toEqual({
      refused: 'consent_round_unknown',
    });
    expect(await door.complete(id, answer)).toEqual({});
  });
});
