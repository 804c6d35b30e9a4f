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
} from '../support/custody-scene.js';
import type { CustodyScene } from '../support/custody-scene.js';
import type { Hold } from '../support/gate.js';

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

const renewed = (scene: CustodyScene) => eventuallyIs(scene, ({ generation }) => generation === 2);

describe.concurrent('a worker that refreshes a token', () => {
  test('and dies before the provider hears of its call loses nothing, and is missed by its heartbeat', async (context) => {
    const scene = await aCustodyScene(temporal, context);
    await killedIn(scene, 'before');
    await scene.startWorker();
    await waitedOut(scene, temporal);
    const body = await renewed(scene);
    expect(await timeouts(scene)).toEqual([HEARTBEAT]);
    expect(body).toMatchObject({ status: 'healthy', attention: [] });
    expect(outcomesOf(scene.road)).toEqual(['issued']);
  });

  test('and dies while the answer is on its way loses nothing where the provider repeats the pair', async (context) => {
    const scene = await aCustodyScene(temporal, context);
    scene.road.sandbox.control.setOAuth({ grace_seconds: 120 });
    await killedIn(scene, 'after');
    await scene.startWorker();
    await waitedOut(scene, temporal);
    expect(await renewed(scene)).toMatchObject({ status: 'healthy', attention: [] });
    expect(await timeouts(scene)).toEqual([HEARTBEAT]);
    expect(outcomesOf(scene.road)).toEqual(['issued', 'issued_again']);
  });

  test('and dies while the answer is on its way loses the grant where it does not: flagged with the second call, healed by consent', async (context) => {
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

  test('and dies once its pair is home loses nothing, and the token is not asked for again', async (context) => {
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
    expect(await renewed(scene)).toMatchObject({ status: 'healthy', attention: [] });
    expect(outcomesOf(road)).toEqual(['issued']);
  });

  test('and hangs with its answer unread for longer than anyone waits does no harm when it goes on', async (context) => {
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
    expect(await renewed(scene)).toMatchObject({ status: 'healthy', attention: [] });
    worker.signal('SIGCONT');
    const again = await handle.executeUpdate(ensureGeneration, { args: [{ after: 2 }] });
    expect(again).toMatchObject({ status: 'healthy', generation: 3 });
    expect(outcomesOf(road)).toEqual(['issued', 'issued_again', 'issued']);
  });
});

type Events = { workflowExecutionSignaledEventAttributes?: unknown }[];
const isHome = (events: Events = []): boolean =>
  events.some((event) => event.workflowExecutionSignaledEventAttributes != null);
