import { describe, expect, inject, test, type TestContext } from 'vitest';
import { ensureGeneration } from '../../workflows/connection/contract.js';
import { anAgreement } from '../support/http-stack.js';
import { eventually, fastForward, useTemporal } from '../support/temporal.js';
import { active } from '../support/over-http.js';
import {
  aCustodyScene,
  consentAgain,
  demand,
  eventuallyIs,
  isFlagged,
  outcomesOf,
  waitedOut,
  type CustodyScene,
} from '../support/custody-scene.js';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const temporal = useTemporal();
const LATE_SECONDS = 90;
const grants = ({ road }: CustodyScene) => road.sandbox.control.state().grants.map(({ revoked }) => revoked);

async function healsByConsent(scene: CustodyScene): Promise<void> {
  const { road, connection } = scene;
  const agreement = anAgreement(undefined, { connection });
  await road.backend.create(agreement, 0);
  await eventuallyIs(scene, isFlagged('needs_reauthorisation'));
  expect(await consentAgain(scene)).toMatchObject({ status: 200 });
  await road.backend.untilAgreement(agreement.uid, ({ state }) => state === 'active');
  expect((await road.backend.connection(connection)).data).toMatchObject({
    status: 'healthy',
    attention: [],
  });
}

describe.concurrent('token call delivered 90 s after a later one has succeeded', () => {
  async function delayed(context: TestContext, graceSeconds: number) {
    const scene = await aCustodyScene(temporal, context);
    const { road, gate, connection, startWorker } = scene;
    road.sandbox.control.setOAuth({ grace_seconds: graceSeconds });
    await startWorker();
    await road.consent(connection);
    await road.consent(`${connection}-other`);
    const hasArrived = gate.hold({
      method: 'POST',
      ending: '/oauth/token',
      uid: 'refresh_token',
      how: 'late',
    });
    demand(scene);
    await eventually(() => Promise.resolve(hasArrived()), Boolean);
    gate.release();
    await eventuallyIs(scene, ({ generation }) => generation === 2);
    expect(outcomesOf(road)).toEqual(['issued']);
    await road.sandbox.control.advance(LATE_SECONDS);
    return { scene, status: await gate.letGo('refresh_token') };
  }

  test('does no harm if the provider repeats the pair', async (context) => {
    const { scene, status } = await delayed(context, 300);
    const { road, connection, handle } = scene;
    expect(status).toBe(200);
    expect(outcomesOf(road)).toEqual(['issued', 'issued_again']);
    expect((await road.backend.connection(connection)).data).toMatchObject({
      status: 'healthy',
      generation: 2,
      attention: [],
    });
    const next = await handle.executeUpdate(ensureGeneration, { args: [{ after: 2 }] });
    expect(next).toMatchObject({ status: 'healthy', generation: 3 });
    expect(grants(scene)).toEqual([false, false]);
    await active(road, connection);
  });

  test('loses the grant if the provider treats it as theft, until the merchant consents again', async (context) => {
    const { scene, status } = await delayed(context, 0);
    const { road, connection } = scene;
    expect(status).toBe(400);
    expect(outcomesOf(road)).toEqual(['issued', 'refresh_token_reused']);
    expect(grants(scene)).toEqual([true, false]);
    await healsByConsent(scene);
    expect(grants(scene)).toEqual([true, false, false]);
    await active(road, `${connection}-other`);
  });
});

describe.concurrent('token pair reported 90 s late by a worker that was cut off from Temporal', () => {
  async function cutOff(
    context: TestContext,
    graceSeconds: number,
  ): Promise<{ scene: CustodyScene; line: TcpProxy }> {
    const scene = await aCustodyScene(temporal, context);
    const { road, connection, startWorker } = scene;
    road.sandbox.control.setOAuth({ grace_seconds: graceSeconds });
    const line = await openTcpProxy(inject('temporalAddress'));
    context.onTestFinished(() => line.close());
    await startWorker({ TEMPORAL_ADDRESS: line.address });
    await road.consent(connection);
    road.sandbox.control.addFault({ on: 'token', do: 'slow', times: 1, delay_ms: 3000 });
    demand(scene);
    await eventually(
      () => Promise.resolve(outcomesOf(road).length),
      (count) => count === 1,
    );
    line.cut();
    await startWorker();
    await waitedOut(scene, temporal);
    await eventually(
      () => Promise.resolve(outcomesOf(road).length),
      (count) => count === 2,
    );
    return { scene, line };
  }
  const signals = async ({ handle }: CustodyScene): Promise<number> => {
    const { events } = await handle.fetchHistory();
    return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes != null).length;
  };

  test('is ignored if the provider has repeated the pair, and the next refresh succeeds', async (context) => {
    const { scene, line } = await cutOff(context, 300);
    const { road, connection, handle } = scene;
    await eventuallyIs(scene, ({ generation }) => generation === 2);
    await fastForward(temporal.client, handle.workflowId, LATE_SECONDS);
    const before = await signals(scene);
    line.mend();
    await eventually(
      () => signals(scene),
      (count) => count > before,
    );
    expect((await road.backend.connection(connection)).data).toMatchObject({
      status: 'healthy',
      generation: 2,
      attention: [],
    });
    const next = await handle.executeUpdate(ensureGeneration, { args: [{ after: 2 }] });
    expect(next).toMatchObject({ status: 'healthy', generation: 3 });
    expect(outcomesOf(road)).toEqual(['issued', 'issued_again', 'issued']);
    expect(grants(scene)).toEqual([false]);
  });

  test('is accepted after the grant counted as lost, and the next call reveals a revoked grant', async (context) => {
    const { scene, line } = await cutOff(context, 0);
    const { road, handle } = scene;
    await eventuallyIs(scene, isFlagged('needs_reauthorisation'));
    await fastForward(temporal.client, handle.workflowId, LATE_SECONDS + 5);
    await eventuallyIs(scene, ({ status }) => status === 'needs_reauthorisation');
    expect(outcomesOf(road)).toEqual(['issued', 'refresh_token_reused']);
    line.mend();
    const late = await eventuallyIs(scene, ({ status }) => status === 'healthy');
    expect(late).toMatchObject({ generation: 2, attention: [] });
    expect(grants(scene)).toEqual([true]);
    await healsByConsent(scene);
    expect(grants(scene)).toEqual([true, false]);
  });
});
