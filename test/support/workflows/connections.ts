import { randomUUID } from 'node:crypto';
import {
  CONNECTION_WORKFLOW,
  beginConsent,
  completeConsent,
  connectionWorkflowId,
  getConnection,
  useTicket,
  type ConnectionView,
  type SealedTokens,
} from '../../../workflows/connection/contract.js';
import { sealTokens } from '../../../activities/tokens/seal.js';
import { eventually, type Temporal } from '../temporal.js';
import { inVirtualTime } from './virtual.js';
import type { Activities } from '../../../activities/index.js';
import type { WorkflowHandle } from '@temporalio/client';

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

export async function consentTo(handle: WorkflowHandle, sealedCode = 'sealed'): Promise<ConnectionView> {
  const link = await handle.executeUpdate(beginConsent);
  const use = { ...link, browser: 'a browser' };
  await handle.executeUpdate(useTicket, { args: [use] });
  return handle.executeUpdate(completeConsent, { args: [{ ...use, sealedCode }] });
}

export async function consented(temporal: Temporal): Promise<WorkflowHandle> {
  const handle = await startConnection(temporal);
  await consentTo(handle);
  return handle;
}

export const untilConnection = (
  handle: WorkflowHandle,
  isIt: (seen: ConnectionView) => boolean,
): Promise<ConnectionView> => eventually(() => handle.query(getConnection), isIt);

export const refreshTokens: Activities['refreshTokens'] = ({ generation }) =>
  Promise.resolve(tokens(generation + 1));

export function sealedTokenCalls(
  sealing: Parameters<typeof sealTokens>[0],
  { life = () => '', expiresInSeconds = 7200 }: { life?: () => string; expiresInSeconds?: number } = {},
) {
  const refreshes: number[] = [];
  const sealed = (connectionId: string, generation: number) =>
    sealTokens(sealing, connectionId, generation, {
      accessToken: `access-${generation}${life()}`,
      refreshToken: `refresh-${generation}`,
      expiresInSeconds,
      scope: 'pay_to_agreements',
    });
  const activities: Pick<Activities, 'exchangeCode' | 'refreshTokens'> = {
    exchangeCode: ({ connectionId, generation }) => Promise.resolve(sealed(connectionId, generation)),
    refreshTokens: ({ connectionId, generation }) => {
      refreshes.push(generation);
      return Promise.resolve(sealed(connectionId, generation + 1));
    },
  };
  return { activities, refreshes };
}

export async function virtualConnection(given: Partial<Activities> = {}) {
  const scene = inVirtualTime({ exchangeCode, ...given });
  const count = (name: keyof Activities): number => scene.calls.filter((call) => call === name).length;
  return { scene, count, connection: await scene.connection() };
}

export async function virtualConsented(given: Partial<Activities> = {}) {
  const world = await virtualConnection(given);
  await (
    await world.connection.consent()
  ).answer;
  return world;
}
