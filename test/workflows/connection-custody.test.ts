// Flags that are raised in time, pauses that are kept, and a revocation of ours that stays one.
import { describe, expect, test } from 'vitest';
import { ApplicationFailure } from '@temporalio/common';
import { beginConsent, completeConsent, connectionIdOf, ensureGeneration, revokeConnection, tokensRotated } from '../../workflows/connection/contract.js'; // prettier-ignore
import { REFRESH_LIMIT_MS } from '../../payments-api/oauth.js';
import { eventually, fastForward, useTemporal } from '../support/temporal.js';
import { consentTo, consented, exchangeCode, startConnection, tokens, until, view } from './connections.js';
import { failure, only, refusalIn } from './provider.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';

const temporal = useTemporal();
const ask = (handle: WorkflowHandle, after = 1) =>
  handle.executeUpdate(ensureGeneration, { args: [{ after }] });
const REVOCATION = { by: 'ops', reason: 'They left.' };

describe('a refused grant', () => {
  test('is flagged at once, while a late success may still come, and healed by it', async () => {
    const refreshTokens = () => Promise.reject(failure('grant_refused'));
    await temporal.run(only({ exchangeCode, refreshTokens }), async () => {
      const handle = await consented(temporal);
      const answer = ask(handle);
      const flagged = await until(handle, ({ attention }) => attention.length > 0);
      expect(flagged).toMatchObject({ status: 'healthy', attention: [{ code: 'needs_reauthorisation' }] });
      const { searchAttributes } = await handle.describe();
      expect(searchAttributes['Attention']).toEqual(['needs_reauthorisation']);
      await handle.signal(tokensRotated, tokens(2));
      expect(await answer).toMatchObject({ status: 'healthy', generation: 2 });
      expect(await view(handle)).toMatchObject({ attention: [], generation: 2 });
    });
  });
});

describe('a token call that the server puts off', () => {
  test('is made again after what Retry-After asked for, and not before', async () => {
    const calls: number[] = [];
    const refreshTokens = ({ generation }: { generation: number }) => {
      calls.push(generation);
      if (calls.length > 1) return Promise.resolve(tokens(generation + 1));
      const details = [{ providerCodes: [], retryAfterMs: 120_000 }];
      return Promise.reject(ApplicationFailure.create({ type: 'rate_limited', details }));
    };
    await temporal.run(only({ exchangeCode, refreshTokens }), async () => {
      const handle = await consented(temporal);
      const answer = ask(handle);
      await until(handle, ({ lastFailure }) => lastFailure?.code === 'rate_limited');
      await fastForward(temporal.client, handle.workflowId, 110);
      expect(await answer).toMatchObject({ generation: 1 });
      expect(calls).toEqual([1]);
      await fastForward(temporal.client, handle.workflowId, 15);
      expect(await until(handle, ({ generation }) => generation === 2)).toMatchObject({ status: 'healthy' });
      expect(calls).toEqual([1, 1]);
    });
  });

  test('for a wrong secret is flagged at once with what to do, and heals by itself once it is right', async () => {
    let isRight = false;
    const refreshTokens = ({ generation }: { generation: number }) =>
      isRight ? Promise.resolve(tokens(generation + 1)) : Promise.reject(failure('client_refused'));
    await temporal.run(only({ exchangeCode, refreshTokens }), async () => {
      const handle = await consented(temporal);
      const answer = ask(handle);
      const flagged = await until(handle, ({ attention }) => attention.length > 0);
      expect(flagged).toMatchObject({ status: 'healthy', attention: [{ code: 'forbidden' }] });
      expect(flagged.attention[0]?.next).toContain('OAUTH_CLIENT_SECRET');
      isRight = true;
      await fastForward(temporal.client, handle.workflowId, 310);
      await answer;
      expect(await until(handle, ({ generation }) => generation === 2)).toMatchObject({ attention: [] });
    });
  });
});

describe('a revocation by us', () => {
  test('forgets the tokens, answers whoever asks for one, and is healed by a new consent alone', async () => {
    const woken: string[] = [];
    const wakeWaiting = ({ connectionId }: { connectionId: string }) => Promise.resolve(woken.push(connectionId)); // prettier-ignore
    await temporal.run(only({ exchangeCode, wakeWaiting }), async () => {
      const handle = await consented(temporal);
      const { round } = await handle.executeUpdate(beginConsent);
      const revoked = await handle.executeUpdate(revokeConnection, { args: [REVOCATION] });
      expect(revoked).toMatchObject({ status: 'needs_reauthorisation', generation: 0 });
      expect(revoked.attention[0]?.detail).toContain('ops: They left.');
      expect(await ask(handle)).toEqual({ status: 'needs_reauthorisation' });
      // A link from before, an echo of before, and a renewal of before: none revives it.
      const completed = handle.executeUpdate(completeConsent, { args: [{ round, sealedCode: 'x' }] });
      expect(await completed.catch(refusalIn)).toBe('consent_round_unknown');
      await handle.signal(tokensRotated, tokens(1));
      await handle.signal(tokensRotated, tokens(2));
      expect(await view(handle)).toMatchObject({ status: 'needs_reauthorisation', generation: 0 });
      const before = woken.length;
      expect(await consentTo(handle)).toMatchObject({ status: 'healthy', attention: [] });
      await eventually(() => Promise.resolve(woken.length), (count) => count > before); // prettier-ignore
    });
  });

  test('wins over a renewal and over a consent that are under way', async () => {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const asked: string[] = [];
    const refreshTokens = async ({ generation }: { generation: number }) => {
      asked.push('refresh');
      await held;
      return tokens(generation + 1);
    };
    const slowly = async ({ generation }: { generation: number }) => {
      if (generation > 1) {
        asked.push('exchange');
        await held;
      }
      return tokens(generation);
    };
    await temporal.run(only({ exchangeCode: slowly, refreshTokens }), async () => {
      const handle = await consented(temporal);
      const renewal = ask(handle);
      const consent = consentTo(handle).catch(refusalIn);
      await eventually(() => Promise.resolve(asked.length), (count) => count === 2); // prettier-ignore
      await handle.executeUpdate(revokeConnection, { args: [REVOCATION] });
      expect(await renewal).toEqual({ status: 'needs_reauthorisation' });
      letGo();
      expect(await consent).toBe('consent_round_unknown');
      expect(await view(handle)).toMatchObject({ status: 'needs_reauthorisation', generation: 0 });
    });
  });
});

test('a pair that comes home to another connection, begun since under its id, is not taken for one of its own', async () => {
  const lives: (string | undefined)[] = [];
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const refreshTokens: Activities['refreshTokens'] = async ({ generation, life }) => {
    lives.push(life);
    if (lives.length === 1) await held;
    return { ...tokens(generation + 1), life };
  };
  await temporal.run(only({ exchangeCode, refreshTokens }), async () => {
    const first = await consented(temporal);
    const unanswered = ask(first).catch(refusalIn);
    await eventually(() => Promise.resolve(lives.length), (count) => count === 1); // prettier-ignore
    await first.terminate('a test');
    const second = await startConnection(temporal, connectionIdOf(first.workflowId));
    await consentTo(second);
    await second.signal(tokensRotated, { ...tokens(2), life: lives[0] });
    expect(await view(second)).toMatchObject({ status: 'healthy', generation: 1 });
    expect(await ask(second)).toMatchObject({ generation: 2 });
    expect(lives[1]).not.toBe(lives[0]);
    letGo();
    await unanswered;
  });
});

test('a link that was given out before a connection ended is not one of that which was begun since under its id', async () => {
  const exchanged: string[] = [];
  const counting: Activities['exchangeCode'] = (args) => {
    exchanged.push(args.sealedCode);
    return exchangeCode(args);
  };
  await temporal.run(only({ exchangeCode: counting }), async () => {
    const first = await startConnection(temporal);
    const old = await first.executeUpdate(beginConsent);
    await first.terminate('a test');
    const second = await startConnection(temporal, connectionIdOf(first.workflowId));
    const link = await second.executeUpdate(beginConsent);
    expect(link.round).toBe(old.round);
    const comesBack = (round: Partial<typeof link>, sealedCode: string) =>
      second.executeUpdate(completeConsent, { args: [{ ...link, ...round, sealedCode }] });
    expect(await comesBack(old, 'of the first').catch(refusalIn)).toBe('consent_round_unknown');
    expect(exchanged).toEqual([]);
    expect(await view(second)).toMatchObject({ status: 'awaiting_consent', generation: 0 });
    expect(await comesBack({}, 'of the second')).toMatchObject({ status: 'healthy' });
    expect(exchanged).toEqual(['of the second']);
  });
});

test('a renewal that is hung up on has ten seconds of its time left, to say so and to be heard', async () => {
  const refreshTokens = ({ generation }: { generation: number }) => Promise.resolve(tokens(generation + 1));
  await temporal.run(only({ exchangeCode, refreshTokens }), async () => {
    const handle = await consented(temporal);
    await ask(handle);
    const { events } = await handle.fetchHistory();
    const limitsMs = (events ?? [])
      .map(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled)
      .filter((scheduled) => scheduled?.activityType?.name === 'refreshTokens')
      .map((scheduled) => Number(scheduled?.startToCloseTimeout?.seconds) * 1000);
    expect(limitsMs).toHaveLength(1);
    for (const limitMs of limitsMs) expect(limitMs - REFRESH_LIMIT_MS).toBeGreaterThanOrEqual(10_000);
  });
});
