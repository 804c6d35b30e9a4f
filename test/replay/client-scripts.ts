import { randomUUID } from 'node:crypto';
import {
  CLIENT_WORKFLOW,
  changeClient,
  clientWorkflowId,
  getClient,
  type ClientView,
} from '../../workflows/client/contract.js';
import { eventually, type Temporal } from '../support/temporal.js';
import { aClientOrder, failure, fetchedClient } from '../support/workflows/provider.js';
import { handedOver } from './lives.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { client } from '../../workflows/index.js';
import type { Scripts, Script } from './script.js';

const shows =
  (state: string) =>
  ({ uid }: { uid: string }) =>
    Promise.resolve(fetchedClient(uid, state));
const REPORTS: Partial<Activities> = { reportProgress: ({ to }) => Promise.resolve(to) };
const REGISTERS: Partial<Activities> = {
  findClient: () => Promise.resolve(null),
  createClient: shows('active'),
  lookUpClient: shows('active'),
  ...REPORTS,
};
const refused = () => Promise.reject(failure('rejected', ['ZPUNP00']));

type Handle = WorkflowHandle<typeof client>;

const start = ({ client: { workflow }, taskQueue }: Temporal): Promise<Handle> => {
  const uid = `cli-${randomUUID()}`;
  return workflow.start<typeof client>(CLIENT_WORKFLOW, {
    taskQueue,
    workflowId: clientWorkflowId(uid),
    args: [{ uid, connectionId: 'acme', order: aClientOrder(), reportTo: 'onboarding/onb-1' }],
  });
};

const until = (handle: Handle, isIt: (view: ClientView) => boolean): Promise<ClientView> =>
  eventually(() => handle.query(getClient), isIt);
const awaits = (handle: Handle, what: ClientView['awaiting']['what']) =>
  until(handle, ({ awaiting }) => awaiting.what === what);
const atRest = (handle: Handle) => awaits(handle, 'nothing');

const resting = (
  activities: Partial<Activities>,
  live: (handle: Handle, temporal: Temporal) => Promise<unknown> = () => Promise.resolve(),
): Script => ({
  activities: { ...REGISTERS, ...activities },
  live: async (temporal) => {
    const handle = await start(temporal);
    await live(handle, temporal);
    await atRest(handle);
    return [handle];
  },
});

const ending = (
  activities: Partial<Activities>,
  live: (handle: Handle, temporal: Temporal) => Promise<unknown> = () => Promise.resolve(),
): Script => ({
  activities: { ...REGISTERS, ...activities },
  live: async (temporal) => {
    const handle = await start(temporal);
    await live(handle, temporal);
    await handle.result();
    return [handle];
  },
});

const changed = async (handle: Handle): Promise<void> => {
  await atRest(handle);
  const use = { key: 'key-1', uid: 'cli-1', body: 'digest' };
  await handle.executeUpdate(changeClient, { args: [{ changes: { legal_name: 'New Gym Pty Ltd' }, use }] });
  await until(handle, ({ changes }) => changes.every(({ stage }) => stage !== 'due'));
};

export const CLIENT_SCRIPTS: Scripts = {
  'client-refused': ending({ createClient: refused, findClient: () => Promise.resolve(null), ...REPORTS }),
  'client-changed': resting({ changeClient: () => Promise.resolve() }, changed),
  'client-continued-as-new': {
    activities: REGISTERS,
    live: async (temporal) => {
      const handle = await start(temporal);
      await atRest(handle);
      return handedOver(temporal, handle);
    },
  },
};
