// The lives of connections.
import { randomUUID } from 'node:crypto';
import {
  CONNECTION_WORKFLOW, beginConsent, completeConsent, connectionWorkflowId, ensureGeneration, getConnection, revokeConnection,
  tokensRotated,
} from '../../workflows/connection.contract.js'; // prettier-ignore
import { eventually, fastForward } from '../temporal.js';
import { failure } from '../workflows/provider.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Temporal } from '../temporal.js';
import type { Stories } from './story.js';

async function consent(handle: WorkflowHandle): Promise<void> {
  const { round } = await handle.executeUpdate(beginConsent);
  await handle.executeUpdate(completeConsent, { args: [{ round, sealedCode: 'sealed' }] });
}

async function lead(temporal: Temporal): Promise<WorkflowHandle> {
  const id = `con-${randomUUID()}`;
  const { client, taskQueue } = temporal;
  const handle = await client.workflow.start(CONNECTION_WORKFLOW, {
    taskQueue,
    workflowId: connectionWorkflowId(id),
    args: [{ id }],
  });
  await consent(handle);
  return handle;
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
};
