import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import {
  CONNECTION_WORKFLOW,
  beginConsent,
  completeConsent,
  connectionWorkflowId,
  ensureGeneration,
  getConnection,
  tokensRotated,
} from '../../workflows/connection/contract.js';
import { LATE_COMERS_MS } from '../../workflows/connection/state.js'; // prettier-ignore
import { eventually, fastForward, skipTime, useTemporal } from '../support/temporal.js';
import { failure, only } from './provider.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { ConnectionView, SealedTokens } from '../../workflows/connection/contract.js';

const temporal = useTemporal();

const tokens = (generation: number): SealedTokens => ({
  generation,
  expiresAt: '2030-01-01T00:00:00.000Z',
  refreshAt: '2029-12-31T00:00:00.000Z',
  scope: 'pay_to_agreements',
  sealedAccess: `sealed-access-${generation}`,
  sealedRefresh: `sealed-refresh-${generation}`,
});
const exchangeCode = ({ generation }: { generation: number }) => Promise.resolve(tokens(generation));
const view = (handle: WorkflowHandle) => handle.query(getConnection);
const until = (handle: WorkflowHandle, isIt: (seen: ConnectionView) => boolean) =>
  eventually(() => view(handle), isIt);
const codeOf = (error: unknown) =>
  error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure
    ? error.cause.type
    : error;

async function start(): Promise<WorkflowHandle> {
  const id = `con-${randomUUID()}`;
  const { taskQueue } = temporal;
  const workflowId = connectionWorkflowId(id);
  return temporal.client.workflow.start(CONNECTION_WORKFLOW, { taskQueue, workflowId, args: [{ id }] });
}

async function consented(): Promise<WorkflowHandle> {
  const handle = await start();
  const { round } = await handle.executeUpdate(beginConsent);
  await handle.executeUpdate(completeConsent, { args: [{ round, sealedCode: 'sealed' }] });
  return handle;
}

/** Refreshes as the activity does: the new pair is signalled before the call returns. */
const refreshing =
  (handle: () => WorkflowHandle, count: { calls: number }) => async (args: { generation: number }) => {
    count.calls += 1;
    await handle().signal(tokensRotated, tokens(args.generation + 1));
    return tokens(args.generation + 1);
  };

describe('a connection workflow', () => {
  test('awaits consent, and is healthy once the code has been exchanged', async () => {
    await temporal.run(only({ exchangeCode }), async () => {
      const handle = await start();
      expect(await view(handle)).toMatchObject({
        status: 'awaiting_consent',
        generation: 0,
        awaiting: { what: 'consent' },
      });
      const { round } = await handle.executeUpdate(beginConsent);
      await handle.executeUpdate(completeConsent, { args: [{ round, sealedCode: 'sealed' }] });
      expect(await view(handle)).toMatchObject({
        status: 'healthy',
        generation: 1,
        awaiting: { what: 'nothing' },
      });
    });
  });

  test('takes a consent once, and only in its newest round and within ten minutes', async () => {
    await temporal.run(only({ exchangeCode }), async () => {
      const handle = await start();
      const complete = (round: number) =>
        handle.executeUpdate(completeConsent, { args: [{ round, sealedCode: 'x' }] });
      const first = await handle.executeUpdate(beginConsent);
      const second = await handle.executeUpdate(beginConsent);
      expect(await complete(first.round).catch(codeOf)).toBe('consent_round_unknown');
      await complete(second.round);
      expect(await complete(second.round).catch(codeOf)).toBe('consent_round_unknown');
      const third = await handle.executeUpdate(beginConsent);
      await fastForward(temporal.client, handle.workflowId, 11 * 60);
      expect(await complete(third.round).catch(codeOf)).toBe('consent_round_expired');
    });
  });

  test('stays as it was when the code is refused', async () => {
    await temporal.run(only({ exchangeCode: () => Promise.reject(failure('grant_refused')) }), async () => {
      const handle = await start();
      const { round } = await handle.executeUpdate(beginConsent);
      const error = await handle
        .executeUpdate(completeConsent, { args: [{ round, sealedCode: 'x' }] })
        .catch(codeOf);
      expect(error).toBe('code_refused');
      expect(await view(handle)).toMatchObject({
        status: 'awaiting_consent',
        lastFailure: { code: 'code_refused' },
      });
    });
  });

  test('refreshes once however many ask, and not at all for a generation already replaced', async () => {
    const count = { calls: 0 };
    let connection: WorkflowHandle | undefined;
    const handle = () => {
      if (connection === undefined) throw new Error('not started');
      return connection;
    };
    await temporal.run(only({ exchangeCode, refreshTokens: refreshing(handle, count) }), async () => {
      connection = await consented();
      const ask = (after: number) => handle().executeUpdate(ensureGeneration, { args: [{ after }] });
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask(1)));
      expect(answers.map(({ generation }) => generation)).toEqual(Array.from({ length: 8 }, () => 2));
      expect(await ask(1)).toMatchObject({ generation: 2, sealedAccess: 'sealed-access-2' });
      expect(count.calls).toBe(1);
    });
  });

  test('never answers with the refresh token', async () => {
    await temporal.run(only({ exchangeCode }), async () => {
      const handle = await consented();
      const grant = await handle.executeUpdate(ensureGeneration, { args: [{ after: 0 }] });
      expect(JSON.stringify(grant)).not.toContain('sealed-refresh');
    });
  });

  test('does nothing while nobody asks, though its token has long expired', async () => {
    await temporal.run(only({ exchangeCode }), async () => {
      const handle = await consented();
      await fastForward(temporal.client, handle.workflowId, 7 * 86_400);
      expect(await view(handle)).toMatchObject({ status: 'healthy', generation: 1 });
    });
  });

  test('tries again at once when a refresh had no answer, and takes a late success for one', async () => {
    let calls = 0;
    let connection: WorkflowHandle | undefined;
    const refreshTokens = async ({ generation }: { generation: number }) => {
      calls += 1;
      if (calls === 1) throw failure('unavailable');
      await connection?.signal(tokensRotated, tokens(generation + 1));
      throw failure('unavailable');
    };
    await temporal.run(only({ exchangeCode, refreshTokens }), async () => {
      connection = await consented();
      const answer = await connection.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      expect(answer).toMatchObject({ status: 'healthy', generation: 2 });
      expect(calls).toBe(2);
    });
  });

  test('waits for a late success before it believes that the grant is lost', async () => {
    let isAsked = false;
    const refreshTokens = () => {
      isAsked = true;
      return Promise.reject(failure('grant_refused'));
    };
    await temporal.run(only({ exchangeCode, refreshTokens }), async () => {
      const handle = await consented();
      const answer = handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      await eventually(() => Promise.resolve(isAsked), Boolean);
      await handle.signal(tokensRotated, tokens(2));
      expect(await answer).toMatchObject({ status: 'healthy', generation: 2 });
    });
  });

  test('says that it needs consent once the grant is lost, and wakes those who wait when it is there again', async () => {
    const woken: string[] = [];
    const since: (string | undefined)[] = [];
    const world = only({
      exchangeCode,
      refreshTokens: () => Promise.reject(failure('grant_refused')),
      wakeWaiting: (args) => {
        since.push(args.since);
        return Promise.resolve(woken.push(args.connectionId));
      },
    });
    await temporal.run(world, async () => {
      const handle = await consented();
      await eventually(
        () => Promise.resolve(woken.length),
        (count) => count > 0,
      );
      const answer = handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      await eventually(
        () => handle.describe(),
        ({ raw }) => (raw.pendingActivities ?? []).length === 0,
      );
      await fastForward(temporal.client, handle.workflowId, 130);
      await answer;
      const lost = await until(handle, ({ status }) => status === 'needs_reauthorisation');
      expect(lost).toMatchObject({
        attention: [{ code: 'needs_reauthorisation' }],
        awaiting: { what: 'consent' },
      });
      const before = woken.length;
      const { round } = await handle.executeUpdate(beginConsent);
      await handle.executeUpdate(completeConsent, { args: [{ round, sealedCode: 'sealed' }] });
      expect(await view(handle)).toMatchObject({ status: 'healthy', generation: 101, attention: [] });
      await eventually(
        () => Promise.resolve(woken.length),
        (count) => count > before,
      );
      // The first walk is for all, those after it for whoever came late.
      await fastForward(temporal.client, handle.workflowId, 10);
      await eventually(() => Promise.resolve(woken.length), (count) => count > before + 1); // prettier-ignore
      expect(since[before]).toBeUndefined();
      const consentedMs = Date.parse((await view(handle)).awaiting.since);
      expect(Math.abs(consentedMs - Date.parse(since[before + 1] ?? '') - LATE_COMERS_MS)).toBeLessThan(5000);
    });
  });

  test('heals when a refresh that was given up for lost comes in late', async () => {
    const refreshTokens = () => Promise.reject(failure('grant_refused'));
    await temporal.run(only({ exchangeCode, refreshTokens }), async () => {
      const handle = await consented();
      const answer = handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      await eventually(
        () => handle.describe(),
        ({ raw }) => (raw.pendingActivities ?? []).length === 0,
      );
      await fastForward(temporal.client, handle.workflowId, 130);
      await until(handle, ({ status }) => status === 'needs_reauthorisation');
      await answer;
      await handle.signal(tokensRotated, tokens(2));
      expect(await until(handle, ({ status }) => status === 'healthy')).toMatchObject({
        generation: 2,
        attention: [],
      });
    });
  });

  test('keeps the tokens of a consent that a refresh of the old grant overtakes', async () => {
    let connection: WorkflowHandle | undefined;
    const overtaken = async (args: { generation: number }) => {
      if (args.generation > 1) await connection?.signal(tokensRotated, tokens(2));
      return tokens(args.generation);
    };
    await temporal.run(only({ exchangeCode: overtaken }), async () => {
      connection = await consented();
      const { round } = await connection.executeUpdate(beginConsent);
      await connection.executeUpdate(completeConsent, { args: [{ round, sealedCode: 'sealed' }] });
      const grant = await connection.executeUpdate(ensureGeneration, { args: [{ after: 0 }] });
      expect(grant).toMatchObject({ generation: 101, sealedAccess: 'sealed-access-101' });
    });
  });

  test('hands over while the authorisation server is away for days, says so, and holds nobody up', async () => {
    const refreshTokens = () => Promise.reject(failure('unavailable'));
    await temporal.run(only({ exchangeCode, refreshTokens }), async () => {
      const handle = await consented();
      const { runId } = await handle.describe();
      const answer = await handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      expect(answer).toMatchObject({ status: 'healthy', generation: 1 });
      expect((await until(handle, ({ attention }) => attention.length > 0)).attention).toMatchObject([
        { code: 'forbidden' },
      ]);
      await skipTime(temporal.client, handle.workflowId);
      const newest = temporal.client.workflow.getHandle(handle.workflowId);
      await eventually(
        () => newest.describe(),
        (run) => run.runId !== runId,
        150_000,
      );
      expect(await view(newest)).toMatchObject({
        status: 'healthy',
        generation: 1,
        attention: [{ code: 'forbidden' }],
      });
      await newest.terminate();
    });
  }, 200_000); // some forty failures, each a second of real time, and more on a busy machine

  test('ignores an echo of a generation that it has passed', async () => {
    await temporal.run(only({ exchangeCode }), async () => {
      const handle = await consented();
      await handle.signal(tokensRotated, tokens(2));
      await handle.signal(tokensRotated, { ...tokens(2), sealedAccess: 'an echo' });
      await handle.signal(tokensRotated, tokens(1));
      await until(handle, ({ generation }) => generation === 2);
      const grant = await handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      expect(grant).toMatchObject({ generation: 2, sealedAccess: 'sealed-access-2' });
    });
  });
});
