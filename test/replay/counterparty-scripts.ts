import { randomUUID } from 'node:crypto';
import {
  COUNTERPARTY_WORKFLOW,
  counterpartyWorkflowId,
  getCounterparty,
  resolveAttention,
  type CounterpartyView,
} from '../../workflows/counterparty/contract.js';
import { eventually, skipTime, type Temporal } from '../support/temporal.js';
import { aCounterpartyOrder, failure } from '../support/workflows/provider.js';
import { decide, handedOver } from './lives.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { counterparty } from '../../workflows/index.js';
import type { Scripts, Script } from './script.js';

const createCounterparty: Activities['createCounterparty'] = ({ uid, registration }) => {
  const accountUids = registration.payment_accounts.map((account) => account.uid);
  const snapshot = { uid, state: 'registered', counterpartyId: 'cp-9', accountUids };
  return Promise.resolve({ fetchedAt: new Date().toISOString(), snapshot, history: [] });
};
const verified =
  (outcome: 'match' | 'close_match' | 'no_match'): Activities['verifyAccount'] =>
  ({ reference }) =>
    Promise.resolve({ reference, outcome });
const REGISTERS: Partial<Activities> = { createCounterparty, verifyAccount: verified('match') };
const lost = () => Promise.reject(failure('unavailable'));

type Handle = WorkflowHandle<typeof counterparty>;

const start = ({ client, taskQueue }: Temporal): Promise<Handle> => {
  const uid = `cp-${randomUUID()}`;
  return client.workflow.start<typeof counterparty>(COUNTERPARTY_WORKFLOW, {
    taskQueue,
    workflowId: counterpartyWorkflowId(uid),
    args: [{ uid, connectionId: 'acme', order: aCounterpartyOrder() }],
  });
};

const until = (handle: Handle, isIt: (view: CounterpartyView) => boolean): Promise<CounterpartyView> =>
  eventually(() => handle.query(getCounterparty), isIt);
const registered = (handle: Handle) => until(handle, ({ state }) => state === 'registered');

const script = (
  isKept: boolean,
  activities: Partial<Activities>,
  live: (handle: Handle, temporal: Temporal) => Promise<unknown> = () => Promise.resolve(),
): Script => ({
  activities: { ...REGISTERS, ...activities },
  live: async (temporal) => {
    const handle = await start(temporal);
    await live(handle, temporal);
    await (isKept ? registered(handle) : handle.result());
    return [handle];
  },
});

const parked = async (handle: Handle, { client }: Temporal): Promise<void> => {
  await skipTime(client, handle.workflowId);
  await until(handle, ({ awaiting }) => awaiting.what === 'operator');
};

export const COUNTERPARTY_SCRIPTS: Scripts = {
  'counterparty-refused': script(
    false,
    { createCounterparty: () => Promise.reject(failure('rejected', ['ZPUNP00'])) },
    async (handle) => {
      await until(handle, ({ state }) => state === 'refused');
      await handle.executeUpdate(resolveAttention, { args: [decide('close')] });
    },
  ),
  'counterparty-parked-and-closed': script(false, { createCounterparty: lost }, async (handle, temporal) => {
    await parked(handle, temporal);
    await handle.executeUpdate(resolveAttention, { args: [decide('close')] });
  }),
  'counterparty-continued-as-new': {
    activities: REGISTERS,
    live: async (temporal) => {
      const handle = await start(temporal);
      await registered(handle);
      return handedOver(temporal, handle);
    },
  },
};
