import { describe, expect, test } from 'vitest';
import { ensureGeneration } from '../../workflows/connection/contract.js';
import { eventually, useTemporal } from '../support/temporal.js';
import {
  HEARTBEAT,
  aCustodyScene,
  consentAgain,
  demand,
  eventuallyIs,
  isFlagged,
  outcomesOf,
  timeouts,
  waitedOut,
  type CustodyScene,
} from '../support/custody-scene.js';
import type { Hold } from '../support/http-proxy.js';

const temporal = useTemporal();

async function killedIn(scene: CustodyScene, how: Hold): Promise<void> {
  const { road, gate, connection, startWorker } = scene;
  const worker = await startWorker();
  await road.consent(connection);
  const hasArrived = gate.hold({ method: 'POST', ending: '/oauth/token', uid: 'refresh_token', how });
  demand(scene);
  await eventually(() => Promise.resolve(hasArrived()), Boolean);
  await worker.kill();
  gate.release();
}

const refreshed = (scene: CustodyScene) => eventuallyIs(scene, ({ generation }) => generation === 2);

describe.concurrent('worker crash during a token refresh', () => {
  test('loses nothing before the provider receives the call, and a missed heartbeat detects it', async (context) => {
    const scene = await aCustodyScene(temporal, context);
    await killedIn(scene, 'before');
    await scene.startWorker();
    await waitedOut(scene, temporal);
    const body = await refreshed(scene);
    expect(await timeouts(scene)).toEqual([HEARTBEAT]);
    expect(body).toMatchObject({ status: 'healthy', attention: [] });
    expect(outcomesOf(scene.road)).toEqual(['issued']);
  });

  test('loses nothing before the answer arrives if the provider repeats the pair', async (context) => {
    const scene = await aCustodyScene(temporal, context);
    scene.road.sandbox.control.setOAuth({ grace_seconds: 120 });
    await killedIn(scene, 'after');
    await scene.startWorker();
    await waitedOut(scene, temporal);
    expect(await refreshed(scene)).toMatchObject({ status: 'healthy', attention: [] });
    expect(await timeouts(scene)).toEqual([HEARTBEAT]);
    expect(outcomesOf(scene.road)).toEqual(['issued', 'issued_again']);
  });

  test('loses the grant before the answer arrives if the provider does not repeat the pair', async (context) => {
    const scene = await aCustodyScene(temporal, context);
    const { road, connection } = scene;
    await killedIn(scene, 'after');
    await scene.startWorker();
    await waitedOut(scene, temporal);
    await eventuallyIs(scene, isFlagged('needs_reauthorisation'));
    expect(await timeouts(scene)).toEqual([HEARTBEAT]);
    expect(outcomesOf(road)).toEqual(['issued', 'refresh_token_reused']);
    await consentAgain(scene);
    expect((await road.backend.connection(connection)).data).toMatchObject({
      status: 'healthy',
      attention: [],
    });
  });

  test('loses nothing after the pair is stored and causes no second token call', async (context) => {
    const scene = await aCustodyScene(temporal, context);
    const { road, connection, handle, startWorker } = scene;
    const worker = await startWorker();
    await road.consent(connection);
    const { historyLength: before } = await handle.describe();
    demand(scene);
    await eventually(
      () => Promise.resolve(outcomesOf(road).length),
      (count) => count === 1,
    );
    await eventually(
      () => handle.fetchHistory(),
      ({ events }) => isHome(events?.slice(before)),
    );
    await worker.kill();
    await startWorker();
    expect(await refreshed(scene)).toMatchObject({ status: 'healthy', attention: [] });
    expect(outcomesOf(road)).toEqual(['issued']);
  });

  test('does no harm if the worker only hangs with an unread answer and later resumes', async (context) => {
    const scene = await aCustodyScene(temporal, context);
    const { road, connection, handle, startWorker } = scene;
    road.sandbox.control.setOAuth({ grace_seconds: 120 });
    const worker = await startWorker();
    await road.consent(connection);
    road.sandbox.control.addFault({ on: 'token', do: 'slow', times: 1, delay_ms: 3000 });
    demand(scene);
    await eventually(
      () => Promise.resolve(outcomesOf(road).length),
      (count) => count === 1,
    );
    worker.signal('SIGSTOP');
    await startWorker();
    await waitedOut(scene, temporal);
    expect(await refreshed(scene)).toMatchObject({ status: 'healthy', attention: [] });
    worker.signal('SIGCONT');
    const again = await handle.executeUpdate(ensureGeneration, { args: [{ after: 2 }] });
    expect(again).toMatchObject({ status: 'healthy', generation: 3 });
    expect(outcomesOf(road)).toEqual(['issued', 'issued_again', 'issued']);
  });
});

type Events = { workflowExecutionSignaledEventAttributes?: unknown }[];
const isHome = (events: Events = []): boolean =>
  events.some((event) => event.workflowExecutionSignaledEventAttributes != null);
