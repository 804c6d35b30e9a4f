// The lives of connections.
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import {
  CONNECTION_WORKFLOW,
  beginConsent,
  beginConsentOnce,
  completeConsent,
  connectionWorkflowId,
  ensureGeneration,
  getConnection,
  revokeConnection,
  tokensRotated,
} from '../../workflows/connection/contract.js';
import { eventually, fastForward } from '../support/temporal.js';
import { onceFailing } from './lives.js';
import { failure } from '../support/workflows/provider.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Temporal } from '../support/temporal.js';
import type { Stories, Story } from './story.js';

async function consent(handle: WorkflowHandle, sealedCode = 'sealed'): Promise<void> {
  const round = await handle.executeUpdate(beginConsent);
  await handle.executeUpdate(completeConsent, { args: [{ ...round, sealedCode }] });
}

function begin({ client, taskQueue }: Temporal): Promise<WorkflowHandle> {
  const id = `con-${randomUUID()}`;
  const workflowId = connectionWorkflowId(id);
  return client.workflow.start(CONNECTION_WORKFLOW, { taskQueue, workflowId, args: [{ id }] });
}

async function lead(temporal: Temporal): Promise<WorkflowHandle> {
  const handle = await begin(temporal);
  await consent(handle);
  return handle;
}

const renewed = ({ generation }: { generation: number }) => Promise.resolve(tokens(generation + 1));

/** Asked to wait for so long, as the activity says it. */
const putOff = (type: 'rate_limited' | 'unavailable', seconds: number) =>
  ApplicationFailure.create({ type, details: [{ providerCodes: [], retryAfterMs: seconds * 1000 }] });

/** A renewal that is put off once, and made when the time is over. */
const putOffOnce = (type: 'rate_limited' | 'unavailable'): Story => ({
  activities: { exchangeCode, refreshTokens: onceFailing(putOff(type, 90), renewed) },
  live: async (temporal) => {
    const handle = await lead(temporal);
    const answer = handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
    await eventually(
      () => handle.query(getConnection),
      ({ lastFailure }) => lastFailure?.code === type,
    );
    await fastForward(temporal.client, handle.workflowId, 95);
    await answer;
    await eventually(
      () => handle.query(getConnection),
      ({ generation }) => generation === 2,
    );
    return [handle];
  },
});

/** The code of the first consent is exchanged once that of the second has been handed in. */
function overlapping(): Story {
  let letGo = (): void => undefined;
  const isSecondHere = new Promise<void>((resolve) => (letGo = resolve));
  return {
    activities: {
      exchangeCode: async (args) => {
        if (args.sealedCode === 'second') letGo();
        else await isSecondHere;
        return exchangeCode(args);
      },
      refreshTokens: renewed,
    },
    live: async (temporal) => {
      const handle = await begin(temporal);
      const first = consent(handle, 'first');
      await eventually(
        () => handle.describe(),
        ({ raw }) => raw.pendingActivities?.length === 1,
      );
      await Promise.all([first, consent(handle, 'second')]);
      const { generation } = await handle.query(getConnection);
      await handle.executeUpdate(ensureGeneration, { args: [{ after: generation }] });
      return [handle];
    },
  };
}

/** Consented to again while what was blocked before the first consent is still being resumed. */
function resumedTwice(): Story {
  const walks: (string | undefined)[] = [];
  const walked = (count: number) =>
    eventually(
      () => Promise.resolve(walks.length),
      (seen) => seen >= count,
    );
  return {
    activities: { exchangeCode, resumeBlocked: ({ since }) => Promise.resolve(walks.push(since)) },
    live: async (temporal) => {
      const handle = await lead(temporal);
      await walked(1);
      await consent(handle);
      await eventually(
        () => Promise.resolve(walks.filter((since) => since === undefined).length),
        (firsts) => firsts === 2,
      );
      const before = walks.length;
      await fastForward(temporal.client, handle.workflowId, 130);
      await walked(before + 3);
      return [handle];
    },
  };
}

const tokens = (generation: number) => ({
  generation,
  expiresAt: '2030-01-01T00:00:00.000Z',
  refreshAt: '2029-12-31T00:00:00.000Z',
  scope: 'pay_to_agreements',
  sealedAccess: 'sealed',
  sealedRefresh: 'sealed',
});
const exchangeCode = ({ generation }: { generation: number }) => Promise.resolve(tokens(generation));

export const CONNECTION_STORIES: Stories = {
  'connection-rotated': {
    activities: { exchangeCode, refreshTokens: () => Promise.reject(failure('unavailable')) },
    live: async (temporal) => {
      const handle = await lead(temporal);
      const answer = handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      await handle.signal(tokensRotated, tokens(2));
      await answer;
      return [handle];
    },
  },
  'connection-lost': {
    activities: { exchangeCode, refreshTokens: () => Promise.reject(failure('grant_refused')) },
    live: async (temporal) => {
      const handle = await lead(temporal);
      const answer = handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      await fastForward(temporal.client, handle.workflowId, 200);
      await answer;
      await eventually(
        () => handle.query(getConnection),
        ({ status }) => status === 'needs_reauthorisation',
      );
      return [handle];
    },
  },
  'connection-flagged-and-healed': {
    activities: { exchangeCode, refreshTokens: () => Promise.reject(failure('grant_refused')) },
    live: async (temporal) => {
      const handle = await lead(temporal);
      const answer = handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      await eventually(
        () => handle.query(getConnection),
        ({ attention }) => attention.length > 0,
      );
      await handle.signal(tokensRotated, tokens(2));
      await answer;
      return [handle];
    },
  },
  'connection-with-a-wrong-secret': {
    activities: { exchangeCode, refreshTokens: () => Promise.reject(failure('client_refused')) },
    live: async (temporal) => {
      const handle = await lead(temporal);
      const answer = handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      await eventually(
        () => handle.query(getConnection),
        ({ attention }) => attention.length > 0,
      );
      await fastForward(temporal.client, handle.workflowId, 60);
      await answer;
      return [handle];
    },
  },
  'connection-revoked': {
    activities: { exchangeCode },
    live: async (temporal) => {
      const handle = await lead(temporal);
      await handle.executeUpdate(revokeConnection, { args: [{ by: 'ops', reason: 'A story.' }] });
      await handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      await handle.signal(tokensRotated, tokens(2));
      await consent(handle);
      return [handle];
    },
  },
  'connection-put-off-by-429': putOffOnce('rate_limited'),
  'connection-put-off-by-503': putOffOnce('unavailable'),
  'connection-with-overlapping-consents': overlapping(),
  'connection-consented-to-again-while-resuming': resumedTwice(),
  'connection-signalled-a-pair-of-another-life': {
    activities: { exchangeCode, refreshTokens: renewed },
    live: async (temporal) => {
      const handle = await lead(temporal);
      await handle.signal(tokensRotated, { ...tokens(2), life: '2020-01-01T00:00:00.000Z' });
      await handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      return [handle];
    },
  },
  'connection-asked-twice-for-one-link': {
    activities: { exchangeCode },
    live: async (temporal) => {
      const handle = await begin(temporal);
      const ask = () => handle.executeUpdate(beginConsentOnce, { args: [{ key: 'a-key' }] });
      await ask();
      const round = await ask();
      await handle.executeUpdate(completeConsent, { args: [{ ...round, sealedCode: 'sealed' }] });
      return [handle];
    },
  },
  'connection-asked-for-a-generation-of-another-life': {
    activities: { exchangeCode, refreshTokens: renewed },
    live: async (temporal) => {
      const handle = await lead(temporal);
      await handle.executeUpdate(ensureGeneration, { args: [{ after: 101 }] });
      await handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      return [handle];
    },
  },
};
