import { expect, test } from 'vitest';
import { fastForward, useTemporal } from '../support/temporal.js';
import { active } from '../support/over-http.js';
import {
  aCustodyScene,
  consentAgain,
  demand,
  eventuallyIs,
  isFlagged,
  outcomesOf,
} from '../support/custody-scene.js';

const temporal = useTemporal();

test('a wrong client secret raises a flag, keeps the grant and is fixed by a restart', async (context) => {
  const scene = await aCustodyScene(temporal, context);
  const { road, connection, handle, startWorker } = scene;
  const before = await startWorker();
  await road.consent(connection);
  await before.kill();

  const misled = await startWorker({ OAUTH_CLIENT_SECRET: 'not-the-secret' });
  demand(scene);
  const flagged = await eventuallyIs(scene, isFlagged('forbidden'));
  expect(flagged).toMatchObject({
    status: 'healthy',
    generation: 1,
    last_failure: { code: 'client_refused' },
  });
  expect(flagged?.next).toMatch(/Set OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET.*The grant is not lost/);
  expect(new Set(outcomesOf(road))).toEqual(new Set(['invalid_client']));
  await active(road, connection);
  const { status, page } = await consentAgain(scene);
  expect(status).toBe(500);
  expect(page).toContain('Something is wrong on our side');
  expect((await road.backend.connection(connection)).data).toMatchObject({
    status: 'healthy',
    generation: 1,
  });
  await misled.kill();

  await startWorker();
  await fastForward(temporal.client, handle.workflowId, 310);
  const healed = await eventuallyIs(scene, ({ generation }) => generation === 2);
  expect(healed).toMatchObject({ status: 'healthy', attention: [], last_failure: null });
  expect(outcomesOf(road).filter((outcome) => outcome !== 'invalid_client')).toEqual(['issued']);
  expect(road.sandbox.control.state().grants.map(({ revoked }) => revoked)).toEqual([false]);
  await active(road, connection);
});
