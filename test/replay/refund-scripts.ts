import { randomUUID } from 'node:crypto';
import {
  REFUND_WORKFLOW,
  getRefund,
  lookUpNow,
  refundFact,
  refundWorkflowId,
  resolveAttention,
  type RefundInput,
  type RefundView,
} from '../../workflows/refund/contract.js';
import { aFact } from '../support/facts.js';
import { eventually, queried, skipTime, type Temporal } from '../support/temporal.js';
import {
  anOrder,
  aRefundOrder,
  failure,
  fetchedPayment,
  fetchedRefund,
  refusalIn,
} from '../support/workflows/provider.js';
import { aPaymentView } from '../support/api/builders.js';
import { startPayment } from '../support/workflows/runs.js';
import { getPayment, paymentFact, requestRefund } from '../../workflows/payment/contract.js';
import { decide, handedOver, later } from './lives.js';
import { accepted, untilAccepted } from './payment-scripts.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { Fact } from '../../domain/facts/fact.js';
import type { refund } from '../../workflows/index.js';
import type { Scripts, Script } from './script.js';

const ORDER = aRefundOrder('pay-1');

const shows =
  (state: string, order = ORDER) =>
  ({ uid }: { uid: string }) =>
    Promise.resolve(fetchedRefund(uid, state, order));
const REPORTED = { reportRefund: () => Promise.resolve() };
const ACCEPTED: Partial<Activities> = { ...REPORTED, submitRefund: shows('created') };
const UNANSWERED: Partial<Activities> = {
  ...REPORTED,
  submitRefund: () => Promise.reject(failure('unavailable')),
};

type Handle = WorkflowHandle<typeof refund>;

const start = ({ client, taskQueue }: Temporal, input: Partial<RefundInput> = {}): Promise<Handle> => {
  const uid = input.uid ?? `ref-${randomUUID()}`;
  return client.workflow.start<typeof refund>(REFUND_WORKFLOW, {
    taskQueue,
    workflowId: refundWorkflowId(uid),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    args: [{ uid, connectionId: 'acme', order: ORDER, ...input }],
  });
};

const until = (handle: WorkflowHandle, isIt: (view: RefundView) => boolean): Promise<RefundView> =>
  eventually(() => handle.query(getRefund), isIt);
const awaits = (handle: WorkflowHandle, what: RefundView['awaiting']['what']) =>
  until(handle, ({ awaiting }) => awaiting.what === what);

const ending = (
  activities: Partial<Activities>,
  live: (handle: Handle, temporal: Temporal) => Promise<unknown> = () => Promise.resolve(),
): Script => ({
  activities,
  live: async (temporal) => {
    const handle = await start(temporal);
    await live(handle, temporal);
    await handle.result();
    return [handle];
  },
});

const processed = async (handle: WorkflowHandle): Promise<void> => {
  await awaits(handle, 'refund');
  await handle.signal(refundFact, later('processed'));
};

const parked = async (handle: WorkflowHandle, { client }: Temporal): Promise<void> => {
  await skipTime(client, handle.workflowId);
  await awaits(handle, 'operator');
};

export const REFUND_SCRIPTS: Scripts = {
  'refund-refused': ending({
    ...REPORTED,
    submitRefund: () => Promise.reject(failure('rejected', ['ZPREF07'])),
    findRefund: () => Promise.resolve(null),
  }),
  'refund-of-which-nothing-is-notified': ending({ ...ACCEPTED, watchRefund: shows('processed') }),
  'refund-found-again': ending({ ...UNANSWERED, findRefund: shows('processed') }, (handle, { client }) =>
    skipTime(client, handle.workflowId),
  ),
  'refund-parked-then-looked-up-then-unresolved': ending(
    { ...UNANSWERED, findRefund: () => Promise.resolve(null) },
    async (handle, temporal) => {
      await parked(handle, temporal);
      await handle.executeUpdate(lookUpNow);
      await handle.executeUpdate(resolveAttention, { args: [decide('close')] });
    },
  ),
  'refund-adopted': {
    activities: {
      ...REPORTED,
      adoptRefund: ({ uid }) => Promise.resolve({ owner: 'acme', ...fetchedRefund(uid, 'created', ORDER) }),
    },
    live: async ({ client, taskQueue }) => {
      const uid = `ref-${randomUUID()}`;
      const handle = await client.workflow.signalWithStart<typeof refund, [Fact]>(REFUND_WORKFLOW, {
        taskQueue,
        workflowId: refundWorkflowId(uid),
        args: [{ uid, connectionId: 'acme' }],
        signal: refundFact,
        signalArgs: [aFact('an_event_that_is_new')],
      });
      await processed(handle);
      await handle.result();
      return [handle];
    },
  },
  'refund-of-another-asked-for-again': {
    activities: { ...ACCEPTED, ...accepted },
    live: async (temporal) => {
      const refund = await start(temporal);
      const paid = await startPayment(temporal);
      await untilAccepted(paid);
      await paid.signal(paymentFact, aFact('settled'));
      const { carried } = await paid.result();
      const { uid } = paid;
      const handle = await startPayment(temporal, { uid, order: undefined, carried, isReopened: true });
      const request = {
        uid: refund.workflowId.slice('refund/'.length),
        order: aRefundOrder(uid),
        by: 'key-1',
      };
      await handle.executeUpdate(requestRefund, { args: [request] }).catch(refusalIn);
      await skipTime(temporal.client, handle.workflowId);
      await handle.result();
      await processed(refund);
      await refund.result();
      return [handle];
    },
  },
  'payment-without-a-state-lists-its-refunds': {
    activities: {
      ...{
        ...accepted,
        findPayment: ({ uid }: { uid: string }) => Promise.resolve(fetchedPayment(uid, 'settled')),
      },
      listRefunds: () =>
        Promise.resolve([{ uid: 'ref-1', amount: 1, outcome: 'processed', at: '2026-11-01T00:00:00.000Z' }]),
      readRecord: ({ uid }) =>
        Promise.resolve({
          ...{ is: 'row', version: 1, identity: 'first', connectionId: 'acme', state: 'settled' },
          view: aPaymentView({ uid, state: 'settled', order: anOrder('agr-1') }),
        }),
    },
    live: async (temporal) => {
      const handle = await startPayment(temporal, { order: undefined, readsRecord: true, isReopened: true });
      await eventually(
        () => queried(handle, getPayment),
        ({ refunds }) => refunds?.length === 1,
      );
      await skipTime(temporal.client, handle.workflowId);
      await handle.result();
      return [handle];
    },
  },
  'refund-continued-as-new': {
    activities: { ...ACCEPTED, lookUpRefund: shows('created') },
    live: async (temporal) => {
      const handle = await start(temporal);
      await awaits(handle, 'refund');
      await handle.executeUpdate(lookUpNow);
      await awaits(handle, 'refund');
      const [first, newest] = await handedOver(temporal, handle);
      await newest.signal(refundFact, later('processed'));
      await newest.result();
      return [first, newest];
    },
  },
};
