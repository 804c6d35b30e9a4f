import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createApprovalsGateway } from '../../../api/gateway/approvals.js';
import { createRecorded } from '../../../api/gateway/records.js';
import { createCalls } from '../../../api/gateway/temporal/calls.js';
import { approvalWorkflowId } from '../../../workflows/approval/contract.js';
import { RECORDS_AWAY } from '../../support/records-away.js';
import { refusal } from '../../support/api/gateway.js';
import { fastForward, useTemporal } from '../../support/temporal.js';
import { only } from '../../support/workflows/provider.js';

const temporal = useTemporal();
const REQUESTED = { operation: 'revokeConnection', target: '/v1/connections/acme/revocation', digest: 'd' };
const DAY_SECONDS = 24 * 3600;

test('an approval is given once, by another principal, for the same request and within a day', async () => {
  await temporal.run(only({}), async () => {
    const { client, taskQueue } = temporal;
    const door = createApprovalsGateway(
      createCalls({ client, taskQueue, recorded: createRecorded(RECORDS_AWAY) }),
    );
    const id = randomUUID();
    const pending = await door.request(id, { ...REQUESTED, requestedBy: 'ops' });
    expect(await door.request(id, { ...REQUESTED, requestedBy: 'ops' })).toEqual(pending);
    const refused = async (by: string, over = {}) =>
      refusal(door.approve(id, { ...REQUESTED, ...over, by }).then(() => 'approved'));
    expect(await refused('ops')).toMatchObject({ code: 'approval_of_requester' });
    for (const other of [{ digest: 'x' }, { target: '/v1/stop' }, { operation: 'x' }])
      expect(await refused('risk', other)).toMatchObject({ code: 'approval_differs' });
    const byRisk = () => door.approve(id, { ...REQUESTED, by: 'risk' });
    expect([await byRisk(), await byRisk()]).toEqual([pending, pending]);
    expect(await refused('third')).toMatchObject({ code: 'approval_used' });
    await fastForward(client, approvalWorkflowId(id), 601);
    expect(await door.approve(id, { ...REQUESTED, by: 'risk' })).toBeUndefined();

    const late = randomUUID();
    await door.request(late, { ...REQUESTED, requestedBy: 'ops' });
    await fastForward(client, approvalWorkflowId(late), DAY_SECONDS + 1);
    expect(await door.approve(late, { ...REQUESTED, by: 'risk' })).toBeUndefined();
    expect(await door.approve(randomUUID(), { ...REQUESTED, by: 'risk' })).toBeUndefined();
  });
});
