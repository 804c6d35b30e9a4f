import { expect, test } from 'vitest';
import { inOrder } from '../../domain/facts/fact.js';
import { AGREEMENT_WORKFLOW, agreementWorkflowId, getTimeline } from '../../workflows/agreement/contract.js';
import { connectionWorkflowId } from '../../workflows/connection/contract.js';
import { carry } from '../../workflows/entity/engine/upgrade.js';
import { newAgreement } from '../../workflows/agreement/state.js';
import { eventsOf, fastForward, useTemporal } from '../support/temporal.js';
import { active, callsOf, onTheRoad, providerOf } from '../support/on-the-road.js';
import type { Road } from '../support/road.js';

const temporal = useTemporal();

async function shortened({ backend, sandbox }: Road, connection: string, uid: string): Promise<void> {
  for (const [turn, state] of [
    ['suspend', 'suspended'],
    ['reactivate', 'active'],
  ] as const) {
    sandbox.control.actAsPayer(uid, turn);
    await backend.untilAgreement(uid, (agreement) => agreement.state === state);
  }
  const { client, taskQueue } = temporal;
  const workflowId = agreementWorkflowId(uid);
  const { facts } = await client.workflow.getHandle(workflowId).query(getTimeline);
  await client.workflow.getHandle(workflowId).terminate();
  const known = newAgreement({ uid, connectionId: connection }, new Date().toISOString());
  const submission = { ...known.submission, stage: 'open' as const };
  const carried = carry({
    ...known,
    submission,
    start: 'suspended',
    facts: facts.slice(-1),
    droppedHashes: ['a', 'b'],
  });
  await client.workflow.start(AGREEMENT_WORKFLOW, { workflowId, taskQueue, args: [{ uid, carried }] });
}

async function historyAt(road: Road, uid: string): Promise<string[]> {
  const [accessToken = ''] = road.issued;
  return inOrder(await providerOf(road).getAgreementHistory(uid, { accessToken })).map(({ id }) => id);
}

test('a full timeline reads the history once for all pages or reports why it cannot', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const { backend, sandbox } = road;
    const uid = await active(road, connection);
    await shortened(road, connection, uid);
    const agreement = temporal.client.workflow.getHandle(agreementWorkflowId(uid));
    const reads = () => callsOf(road, 'agreement_history', uid).length;
    const kept = (await backend.timeline(uid)).data;
    expect(kept?.older_count).toBe(2);

    const [events, readsBefore] = [await eventsOf(agreement), reads()];
    const whole = await backend.wholeTimeline(uid, { from: 'beginning', per_page: 1 });
    expect(whole.map(({ type }) => type)).toEqual(['activated', 'suspended', 'reactivated']);
    expect(whole.map(({ received_at: at }) => at === null)).toEqual([true, true, false]);
    expect(reads() - readsBefore).toBe(1);
    expect(whole.map(({ id }) => id)).toEqual(await historyAt(road, uid));
    expect(await eventsOf(agreement)).toBe(events);

    const before = reads();
    const { id } = sandbox.control.addFault({ on: 'agreement_history', do: 'error_503' });
    sandbox.control.actAsPayer(uid, 'suspend');
    await backend.untilAgreement(uid, ({ state }) => state === 'suspended');
    expect(await backend.timeline(uid, { from: 'beginning' })).toMatchObject({
      status: 502,
      problem: { code: 'provider_unavailable', upstream: { status: 503, retryable: true } },
    });
    expect(reads() - before).toBeLessThanOrEqual(4);
    sandbox.control.removeFault(id);

    sandbox.control.revokeGrants();
    expect((await backend.timeline(uid, { from: 'beginning' })).status).toBe(502);
    await fastForward(temporal.client, connectionWorkflowId(connection), 120);
    await backend.untilConnection(connection, ({ status }) => status === 'needs_reauthorisation');
    const refused = await backend.timeline(uid, { from: 'beginning' });
    expect(refused).toMatchObject({ status: 409, problem: { code: 'needs_reauthorisation' } });
    expect(refused.problem?.detail).toContain(`/v1/connections/${connection}/reauthorisation`);

    await road.consent(connection);
    sandbox.control.actAsPayer(uid, 'cancel');
    await backend.untilAgreement(uid, ({ state }) => state === 'cancelled');
    const over = await backend.wholeTimeline(uid, { from: 'beginning' });
    expect(over.map(({ type }) => type)).toEqual([
      'activated',
      'suspended',
      'reactivated',
      'suspended',
      'cancelled',
    ]);
  });
});
