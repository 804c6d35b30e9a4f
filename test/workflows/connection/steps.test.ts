import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import {
  exchangeCode,
  refreshTokens,
  tokens,
  virtualConnection,
  virtualConsented,
} from '../../support/workflows/connections.js';
import { failure } from '../../support/workflows/provider.js';
import { DAY, SECOND } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';
import type { SealedTokens } from '../../../workflows/connection/contract.js';

describe('token refresh', () => {
  test('runs once for concurrent callers and not for a replaced generation', async () => {
    const { connection, count } = await virtualConsented({ refreshTokens });
    const asks = await Promise.all(Array.from({ length: 8 }, () => connection.ensure(1)));
    for (const { answer: access } of asks) expect(await access).toMatchObject({ generation: 2 });
    expect(await (await connection.ensure(1)).answer).toMatchObject({
      generation: 2,
      sealedAccess: 'sealed-access-2',
    });
    expect(count('refreshTokens')).toBe(1);
  });

  test('does not run without a caller, even after the token has expired', async () => {
    const { connection, scene, count } = await virtualConsented({ refreshTokens });
    await scene.pass(7 * DAY);
    expect(connection.view()).toMatchObject({ status: 'healthy', generation: 1 });
    expect(count('refreshTokens')).toBe(0);
  });

  test('does not return the refresh token', async () => {
    const { connection } = await virtualConsented();
    expect(JSON.stringify(await (await connection.ensure(0)).answer)).not.toContain('sealed-refresh');
  });

  test('does not run for a generation that never existed', async () => {
    const { connection, count } = await virtualConsented({ refreshTokens });
    expect(await (await connection.ensure(101)).answer).toMatchObject({ generation: 1, status: 'healthy' });
    expect(count('refreshTokens')).toBe(0);
    expect(await (await connection.ensure(1)).answer).toMatchObject({ generation: 2 });
    expect(count('refreshTokens')).toBe(1);
  });

  test('keeps a caller waiting for at most twenty seconds during an outage', async () => {
    const { connection, scene } = await virtualConsented({
      refreshTokens: () => Promise.reject(failure('unavailable')),
    });
    const { answer: access } = await connection.ensure(1);
    await scene.pass(20 * SECOND);
    expect(await access).toMatchObject({ status: 'healthy', generation: 1 });
    await scene.pass(DAY);
    const flagged = { status: 'healthy', generation: 1, attention: [{ code: 'forbidden' }] };
    expect(connection.view()).toMatchObject(flagged);
    const before = scene.calls.length;
    await connection.growLong();
    expect(connection.runs()).toBe(2);
    await scene.pass(DAY);
    expect(connection.view()).toMatchObject(flagged);
    expect(scene.calls.length - before).toBe(DAY / (300 * SECOND));
  });

  test('answers waiting callers before continue-as-new and runs again in the next run', async () => {
    let isAway = true;
    const { connection, scene } = await virtualConsented({
      refreshTokens: (args) => (isAway ? Promise.reject(failure('unavailable')) : refreshTokens(args)),
    });
    const { answer: access } = await connection.ensure(1);
    await scene.pass(SECOND);
    const requestedAt = scene.now();
    await connection.growLong();
    expect({ runs: connection.runs(), at: scene.now() }).toEqual({ runs: 2, at: requestedAt });
    expect(await access).toMatchObject({ status: 'healthy', generation: 1 });
    isAway = false;
    const { answer: again } = await connection.ensure(1);
    await scene.pass(20 * SECOND);
    expect(await again).toMatchObject({ generation: 2 });
  });

  test('accepts a token that arrives by signal after an unanswered call', async () => {
    let attempts = 0;
    const { connection, scene } = await virtualConsented({
      refreshTokens: async ({ generation }) => {
        attempts += 1;
        if (attempts === 2) void connection.refreshed(tokens(generation + 1));
        await Promise.resolve();
        throw failure('unavailable');
      },
    });
    const { answer: access } = await connection.ensure(1);
    expect(await access).toMatchObject({ status: 'healthy', generation: 2 });
    await scene.pass(DAY);
    expect(attempts).toBe(2);
  });

  test('uses a pair with the previous refresh token, and flags it until an answer has one or it is refused', async () => {
    const refreshKeptAt = '2026-11-29T00:00:00.000Z';
    const { connection, scene } = await virtualConsented({
      refreshTokens: ({ generation }) =>
        generation === 4
          ? Promise.reject(failure('grant_refused'))
          : Promise.resolve({ ...tokens(generation + 1), ...(generation !== 2 && { refreshKeptAt }) }),
    });
    const flag = { code: 'refresh_token_missing', since: refreshKeptAt };
    expect(await (await connection.ensure(1)).answer).toMatchObject({ status: 'healthy', generation: 2 });
    expect(connection.view()).toMatchObject({ status: 'healthy', attention: [flag] });
    await (
      await connection.ensure(2)
    ).answer;
    expect(connection.view()).toMatchObject({ generation: 3, attention: [] });
    await (
      await connection.ensure(3)
    ).answer;
    expect(connection.view()).toMatchObject({ generation: 4, attention: [flag] });
    await connection.ensure(4);
    await scene.pass(91 * SECOND);
    expect(connection.view()).toMatchObject({ status: 'needs_reauthorisation', generation: 4 });
    expect(connection.view().attention).toMatchObject([{ code: 'needs_reauthorisation' }]);
  });

  test('ignores a duplicate token of an earlier generation', async () => {
    const { connection } = await virtualConsented();
    await connection.refreshed(tokens(2));
    await connection.refreshed({ ...tokens(2), sealedAccess: 'an echo' });
    await connection.refreshed(tokens(1));
    expect(connection.access()).toMatchObject({ generation: 2, sealedAccess: 'sealed-access-2' });
  });

  test('does not replace the tokens of a new consent with those of the old grant', async () => {
    const { connection } = await virtualConsented({
      exchangeCode: (args) => {
        if (args.generation > 1) void connection.refreshed(tokens(2));
        return exchangeCode(args);
      },
    });
    await connection.consent();
    expect(connection.access()).toMatchObject({ generation: 101, sealedAccess: 'sealed-access-101' });
  });

  test('ignores a token of an earlier connection with the same id', async () => {
    const lives: (string | undefined)[] = [];
    const { connection: ended, scene } = await virtualConsented({
      refreshTokens: ({ generation, life }) => {
        lives.push(life);
        return Promise.resolve({ ...tokens(generation + 1), life });
      },
    });
    await ended.ensure(1);
    await scene.pass(SECOND);
    const connection = await scene.connection();
    await connection.consent();
    await connection.refreshed({ ...tokens(2), life: lives[0] });
    expect(connection.view()).toMatchObject({ status: 'healthy', generation: 1 });
    expect(await (await connection.ensure(1)).answer).toMatchObject({ generation: 2 });
    expect(lives[1]).not.toBe(lives[0]);
  });

  test('keeps the previous scope if the server omits it', async () => {
    const silent = (generation: number): SealedTokens => ({ ...tokens(generation), scope: '' });
    const { connection } = await virtualConsented({
      refreshTokens: ({ generation }) => Promise.resolve(silent(generation + 1)),
    });
    await connection.ensure(1);
    expect(connection.view()).toMatchObject({ generation: 2, scope: 'pay_to_agreements' });
    await connection.refreshed(silent(3));
    expect(connection.view()).toMatchObject({ generation: 3, scope: 'pay_to_agreements' });
    await connection.refreshed({ ...silent(4), scope: 'pay_to_payments' });
    expect(connection.view()).toMatchObject({ generation: 4, scope: 'pay_to_payments' });
  });

  test('has no scope after a new consent if the server omits it', async () => {
    const { connection } = await virtualConsented({
      exchangeCode: ({ generation }) =>
        Promise.resolve({ ...tokens(generation), ...(generation > 1 && { scope: '' }) }),
    });
    await connection.consent();
    expect(connection.view().scope).toBe('');
  });
});

describe('refused grant', () => {
  const refusing = { refreshTokens: () => Promise.reject(failure('grant_refused')) };

  test('is flagged at once and cleared by a late success', async () => {
    const { connection, scene } = await virtualConsented(refusing);
    const { answer: access } = await connection.ensure(1);
    expect(connection.view()).toMatchObject({
      status: 'healthy',
      attention: [{ code: 'needs_reauthorisation' }],
    });
    await scene.pass(19 * SECOND);
    await connection.refreshed(tokens(2));
    expect(await access).toMatchObject({ status: 'healthy', generation: 2 });
    await scene.pass(DAY);
    expect(connection.view()).toMatchObject({ attention: [], generation: 2 });
  });

  test('counts as lost after ninety seconds and is restored by a late success', async () => {
    const { connection, scene } = await virtualConsented(refusing);
    await connection.ensure(1);
    await scene.pass(89 * SECOND);
    expect(connection.view().status).toBe('healthy');
    await scene.pass(SECOND);
    expect(connection.view()).toMatchObject({
      status: 'needs_reauthorisation',
      attention: [{ code: 'needs_reauthorisation' }],
      awaiting: { what: 'consent' },
    });
    await connection.refreshed(tokens(2));
    expect(connection.view()).toMatchObject({ status: 'healthy', generation: 2, attention: [] });
  });
});

describe('token call delayed by the server', () => {
  test('is repeated after Retry-After and not before', async () => {
    const details = [{ providerCodes: [], retryAfterMs: 120_000 }];
    let attempts = 0;
    const { connection, scene, count } = await virtualConsented({
      refreshTokens: (args) => {
        attempts += 1;
        return attempts > 1
          ? refreshTokens(args)
          : Promise.reject(ApplicationFailure.create({ type: 'rate_limited', details }));
      },
    });
    const { answer: access } = await connection.ensure(1);
    expect(connection.view().lastFailure).toMatchObject({ code: 'rate_limited' });
    await scene.pass(119 * SECOND);
    expect(await access).toMatchObject({ generation: 1 });
    expect(count('refreshTokens')).toBe(1);
    await scene.pass(SECOND);
    expect(connection.view()).toMatchObject({ status: 'healthy', generation: 2 });
    expect(count('refreshTokens')).toBe(2);
  });

  test('is flagged with advice for a wrong secret and recovers once it is correct', async () => {
    let isRight = false;
    const { connection, scene } = await virtualConsented({
      refreshTokens: (args) => (isRight ? refreshTokens(args) : Promise.reject(failure('client_refused'))),
    });
    await connection.ensure(1);
    expect(connection.view()).toMatchObject({ status: 'healthy', attention: [{ code: 'forbidden' }] });
    expect(connection.view().attention[0]?.next).toContain('OAUTH_CLIENT_SECRET');
    isRight = true;
    await scene.pass(301 * SECOND);
    expect(connection.view()).toMatchObject({ generation: 2, attention: [] });
  });
});

async function resuming(given: Partial<Activities> = {}) {
  const signalled: string[] = [];
  const world = await virtualConnection({
    ...given,
    resumeBlocked: ({ since }) => {
      const seconds = (Date.parse(world.scene.now()) - begunMs) / SECOND;
      signalled.push(
        since === undefined ? `${seconds} all` : `${seconds} since ${(Date.parse(since) - begunMs) / SECOND}`,
      );
      return Promise.resolve(1);
    },
  });
  const begunMs = Date.parse(world.scene.now());
  await world.connection.consent();
  return { ...world, signalled };
}

describe('resumption of blocked workflows after consent', () => {
  test('runs at once and three more times for workflows blocked later', async () => {
    const { scene, signalled } = await resuming();
    await scene.pass(DAY);
    expect(signalled).toEqual(['0 all', '5 since -600', '30 since -600', '120 since -600']);
  });

  test('runs again for a second consent, even if the sweep cannot be scheduled', async () => {
    let isScheduled = false;
    const { connection, scene, signalled } = await resuming({
      ensureSweep: () =>
        isScheduled
          ? Promise.resolve('created')
          : Promise.reject(ApplicationFailure.create({ type: 'unavailable' })),
    });
    await scene.pass(130 * SECOND);
    await connection.consent();
    await scene.pass(130 * SECOND);
    expect(signalled.map((entry) => entry.endsWith('all'))).toEqual([
      true,
      false,
      false,
      false,
      true,
      false,
      false,
      false,
    ]);
    expect(signalled[4]).toBe('130 all');
    isScheduled = true;
    await scene.pass(601 * SECOND);
    await connection.consent();
    expect(signalled.at(-1)).toBe('861 all');
  });

  test('starts again for a second consent and drops the pending repeats of the first', async () => {
    const { connection, scene, signalled } = await resuming();
    await scene.pass(SECOND);
    await connection.consent();
    await scene.pass(DAY);
    expect(signalled).toEqual(['0 all', '1 all', '6 since -599', '31 since -599', '121 since -599']);
  });

  test('continues in a new run', async () => {
    const { connection, scene, signalled } = await resuming();
    await connection.growLong();
    await scene.pass(DAY);
    expect(connection.runs()).toBe(2);
    expect(signalled.filter((entry) => entry.startsWith('120 since'))).toHaveLength(1);
  });
});
