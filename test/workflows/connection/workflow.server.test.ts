import { describe, expect, test } from 'vitest';
import {
  ensureGeneration,
  getAccess,
  getConnection,
  revokeConnection,
  tokensRotated,
} from '../../../workflows/connection/contract.js';
import { eventually, fastForward, useTemporal } from '../../support/temporal.js';
import {
  consentTo,
  consented,
  exchangeCode,
  tokens,
  untilConnection,
} from '../../support/workflows/connections.js';
import { failure, only } from '../../support/workflows/provider.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../../activities/index.js';

const temporal = useTemporal();
const ensure = (handle: WorkflowHandle, after: number) =>
  handle.executeUpdate(ensureGeneration, { args: [{ after }] });

test('a refresh is made once, however many ask, counts when its signal comes, and is given up by a revocation', async () => {
  const refreshed: number[] = [];
  await temporal.run(
    only({
      exchangeCode,
      refreshTokens: async ({ connectionId, generation }) => {
        refreshed.push(generation);
        const handle = temporal.client.workflow.getHandle(`connection/${connectionId}`);
        await handle.signal(tokensRotated, tokens(generation + 1));
        throw failure('unavailable');
      },
    }),
    async () => {
      const handle = await consented(temporal);
      const answers = await Promise.all(Array.from({ length: 8 }, () => ensure(handle, 1)));
      expect(new Set(answers.map(({ generation }) => generation))).toEqual(new Set([2]));
      expect(refreshed).toEqual([1]);
      const revoked = await handle.executeUpdate(revokeConnection, { args: [{ by: 'ops', reason: 'r' }] });
      expect(revoked).toMatchObject({ status: 'needs_reauthorisation', generation: 0 });
      expect(await handle.query(getAccess)).toEqual({ status: 'needs_reauthorisation' });
      await handle.terminate();
    },
  );
});

test('a refused grant is flagged at once, lost after a while, and healed by a consent, which resumes what is blocked', async () => {
  const resumed: (string | undefined)[] = [];
  const resumeBlocked: Activities['resumeBlocked'] = ({ since }) => Promise.resolve(resumed.push(since));
  const refreshTokens = () => Promise.reject(failure('grant_refused'));
  await temporal.run(only({ exchangeCode, refreshTokens, resumeBlocked }), async () => {
    const handle = await consented(temporal);
    const firsts = () => resumed.filter((since) => since === undefined).length;
    await eventually(
      () => Promise.resolve(firsts()),
      (count) => count === 1,
    );
    const answer = ensure(handle, 1);
    await untilConnection(handle, ({ attention }) => attention.length > 0);
    await eventually(
      () => handle.describe(),
      ({ searchAttributes }) => JSON.stringify(searchAttributes['Attention']) === '["needs_reauthorisation"]',
    );
    await fastForward(temporal.client, handle.workflowId, 130);
    await answer;
    const lost = await untilConnection(handle, ({ status }) => status === 'needs_reauthorisation');
    expect(lost).toMatchObject({ awaiting: { what: 'consent' } });
    expect(await consentTo(handle)).toMatchObject({ status: 'healthy', generation: 101, attention: [] });
    await eventually(
      () => Promise.resolve(firsts()),
      (count) => count === 2,
    );
    await handle.terminate();
  });
});

describe('a connection whose history has grown long', () => {
  test('hands over to a fresh run, and forgets nothing', async () => {
    await temporal.run(only({ exchangeCode }), async () => {
      const first = await consented(temporal);
      const { runId } = await first.describe();
      const newest = temporal.client.workflow.getHandle(first.workflowId);
      for (let sent = 0; sent < 520; sent += 40) {
        await Promise.all(Array.from({ length: 40 }, () => newest.signal(tokensRotated, tokens(1))));
        await newest.query(getConnection);
      }
      await eventually(
        () => newest.describe(),
        (run) => run.runId !== runId,
      );
      expect(await newest.query(getAccess)).toMatchObject({ status: 'healthy', generation: 1 });
      await newest.terminate();
    });
  });
});
