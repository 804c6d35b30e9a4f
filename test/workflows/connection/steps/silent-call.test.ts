import { TimeoutFailure, TimeoutType } from '@temporalio/common';
import { expect, test } from 'vitest';
import { refreshTokens, tokens, virtualConsented } from '../../../support/workflows/connections.js';
import { DAY, SECOND, unanswered } from '../../../support/workflows/virtual.js';
import type { SealedTokens } from '../../../../workflows/connection/contract.js';

async function fallenSilent() {
  const silent = unanswered<SealedTokens>();
  const begunAt: number[] = [];
  const world = await virtualConsented({
    refreshTokens: (args) => {
      begunAt.push(world.scene.agenda.nowMs());
      return begunAt.length === 1 ? silent.answer : refreshTokens(args);
    },
  });
  await world.connection.ensure(1);
  await world.scene.pass(10 * SECOND);
  silent.fail(new TimeoutFailure('', undefined, TimeoutType.HEARTBEAT));
  await world.scene.settle();
  const secondsToTheNext = () => begunAt.slice(1).map((ms) => (ms - (begunAt[0] ?? 0)) / SECOND);
  return { ...world, secondsToTheNext };
}

test('a refresh that misses its heartbeat is repeated with the same token after a full minute', async () => {
  const { connection, scene, secondsToTheNext } = await fallenSilent();
  await scene.pass(49 * SECOND);
  expect(secondsToTheNext()).toEqual([]);
  expect(connection.view()).toMatchObject({ status: 'healthy', generation: 1, attention: [] });
  await scene.pass(SECOND);
  expect(secondsToTheNext()).toEqual([60]);
  expect(connection.view()).toMatchObject({ status: 'healthy', generation: 2 });
});

test('a refresh that misses its heartbeat is not repeated after its tokens arrive by signal', async () => {
  const { connection, scene, secondsToTheNext } = await fallenSilent();
  await scene.pass(6 * SECOND);
  await connection.refreshed(tokens(2));
  await scene.pass(DAY);
  expect(secondsToTheNext()).toEqual([]);
  expect(connection.view()).toMatchObject({ status: 'healthy', generation: 2, attention: [] });
});
