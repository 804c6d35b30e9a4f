// Connections for tests of their workflow: begun as the API does, with tokens that are sealed in name only.
import { randomUUID } from 'node:crypto';
import {
  CONNECTION_WORKFLOW, beginConsent, completeConsent, connectionWorkflowId, getConnection,
} from '../../workflows/connection/contract.js'; // prettier-ignore
import { eventually } from '../support/temporal.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { ConnectionView, SealedTokens } from '../../workflows/connection/contract.js';
import type { Temporal } from '../support/temporal.js';

export const tokens = (generation: number): SealedTokens => ({
  generation,
  expiresAt: '2030-01-01T00:00:00.000Z',
  refreshAt: '2029-12-31T00:00:00.000Z',
  scope: 'pay_to_agreements',
  sealedAccess: `sealed-access-${generation}`,
  sealedRefresh: `sealed-refresh-${generation}`,
});

export const exchangeCode = ({ generation }: { generation: number }) => Promise.resolve(tokens(generation));

export async function startConnection(
  { client, taskQueue }: Temporal,
  id = `con-${randomUUID()}`,
): Promise<WorkflowHandle> {
  const workflowId = connectionWorkflowId(id);
  return client.workflow.start(CONNECTION_WORKFLOW, { taskQueue, workflowId, args: [{ id }] });
}

export async function consentTo(handle: WorkflowHandle): Promise<ConnectionView> {
  const { round } = await handle.executeUpdate(beginConsent);
  return handle.executeUpdate(completeConsent, { args: [{ round, sealedCode: 'sealed' }] });
}

export async function consented(temporal: Temporal): Promise<WorkflowHandle> {
  const handle = await startConnection(temporal);
  await consentTo(handle);
  return handle;
}

export const view = (handle: WorkflowHandle): Promise<ConnectionView> => handle.query(getConnection);
export const until = (
  handle: WorkflowHandle,
  isIt: (seen: ConnectionView) => boolean,
): Promise<ConnectionView> => eventually(() => view(handle), isIt);
