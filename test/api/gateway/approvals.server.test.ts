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

test('an approval is given by another principal, for the same request, and used once by its requester, within a day', async () => {
  await temporal.run(only({}), async () => {
    const { client, taskQueue } = temporal;
    const door = createApprovalsGateway(
      createCalls({ client, taskQueue, recorded: createRecorded(RECORDS_AWAY) }),
    );
    const id = randomUUID();
    const pending = await door.request(id, { ...REQUESTED, requestedBy: 'ops' });
    const requested = { ...REQUESTED, requestedAt: pending.requestedAt };
    expect(await door.request(id, { ...REQUESTED, requestedBy: 'ops' })).toEqual(pending);
    const refused = async (to: 'approve' | 'use', by: string, over = {}) =>
      refusal(door[to](id, { ...requested, ...over, by }));
    for (const to of ['approve', 'use'] as const)
      expect(await refused(to, 'ops')).toMatchObject({ code: 'approval_of_requester' });
    for (const other of [{ digest: 'x' }, { target: '/v1/stop' }, { operation: 'x' }])
      expect(await refused('approve', 'risk', other)).toMatchObject({ code: 'approval_differs' });
    const given = { ...pending, approvedBy: 'risk' };
    const byRisk = () => door.approve(id, { ...requested, by: 'risk' });
    expect([await byRisk(), await byRisk()]).toEqual([given, given]);
    expect(await door.request(id, { ...REQUESTED, requestedBy: 'ops' })).toEqual(given);
    expect(await refused('approve', 'third')).toMatchObject({ code: 'approval_used' });
    expect(await refused('use', 'risk')).toMatchObject({ code: 'approval_differs' });
    expect(await refused('use', 'ops', { digest: 'x' })).toMatchObject({ code: 'approval_differs' });
    const use = () => door.use(id, { ...requested, by: 'ops' });
    const uses = await Promise.allSettled([use(), use()]);
    expect(uses.filter((one) => one.status === 'fulfilled' && one.value !== undefined)).toEqual([
      { status: 'fulfilled', value: given },
    ]);
    expect(await use()).toBeUndefined();
    const again = await door.request(id, { ...REQUESTED, requestedBy: 'ops' });
    expect(again.approvedBy).toBeUndefined();
    expect([await byRisk(), await use()]).toEqual([undefined, undefined]);

    const late = randomUUID();
    const { requestedAt } = await door.request(late, { ...REQUESTED, requestedBy: 'ops' });
    await fastForward(client, approvalWorkflowId(late), DAY_SECONDS + 1);
    expect(await door.approve(late, { ...REQUESTED, requestedAt, by: 'risk' })).toBeUndefined();
    expect(await door.approve(randomUUID(), { ...requested, by: 'risk' })).toBeUndefined();
  });
});
