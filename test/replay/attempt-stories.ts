// The lives of payments that are tried again, called off, stopped, or judged by an operator.
import { WithStartWorkflowOperation } from '@temporalio/client';
import {
  PAYMENT_WORKFLOW,
  agreementAnswers,
  lookUpNow,
  paymentDiffers,
  paymentFact,
  refundReports,
  requestRefund,
  resolveAttention,
  retryPayment,
  withdrawPayment,
} from '../../workflows/payment/contract.js';
import { getRefund, refundFact, refundWorkflowId } from '../../workflows/refund/contract.js';
import { aFact } from '../support/facts.js';
import { eventually, skipTime } from '../support/temporal.js';
import {
  ACTIVE_AT_ONCE,
  aRefundOrder,
  failure,
  fetchedPayment,
  fetchedRefund,
} from '../support/workflows/provider.js';
import { startPayment, startPaymentUnderAgreement, untilPayment } from '../support/workflows/starting.js';
import { decide, later, onceStopped, runOf } from './lives.js';
import { accepted, untilAccepted } from './payment-stories.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { RefundRequest } from '../../domain/refund.js';
import type { payment } from '../../workflows/payment/workflow.js';
import type { Temporal } from '../support/temporal.js';
import type { Stories, Story } from './story.js';

type Handle = WorkflowHandle<typeof payment>;

const FAILED = { detail: { failure: { code: 'AM04', retryable: true } } };
const RETRY = { key: 'key-retry', by: 'shop' };
const BY_POLICY = { handling: { retry: { attempts: 1, everySeconds: 60 } } };
/** Its agreement is there to be asked before it is tried again. */
const triedAgain: typeof startPayment = (temporal) => startPaymentUnderAgreement(temporal, BY_POLICY);
const unanswered: Partial<Activities> = { submitPayment: () => Promise.reject(failure('unavailable')) };
const absent: Partial<Activities> = { ...unanswered, findPayment: () => Promise.resolve(null) };
const another: Partial<Activities> = {
  ...unanswered,
  findPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created', { amount: 1 })),
};
const shows =
  (state: string) =>
  ({ uid }: { uid: string }) =>
    Promise.resolve(fetchedPayment(uid, state));

/** What happens to a payment before its run ends. */
const ending = (
  activities: Partial<Activities>,
  live: (handle: Handle, temporal: Temporal) => Promise<unknown>,
  start: typeof startPayment = startPayment,
): Story => ({
  activities: { ...accepted, ...activities },
  live: async (temporal) => {
    const handle = await start(temporal);
    await live(handle, temporal);
    await handle.result();
    return [handle];
  },
});

const awaits = (handle: Handle, waiting: string) =>
  untilPayment(handle, ({ awaiting }) => awaiting.what === waiting);

async function parked(handle: Handle, { client }: Temporal): Promise<void> {
  await skipTime(client, handle.workflowId);
  await awaits(handle, 'operator');
  await skipTime(client, handle.workflowId, false);
}

const judged =
  (decision: 'adopt' | 'close') =>
  async (handle: Handle, temporal: Temporal): Promise<void> => {
    await parked(handle, temporal);
    await handle.executeUpdate(resolveAttention, { args: [decide(decision)] });
  };

/** It has failed, and waits to be tried again as it was asked for with it. */
async function failed(handle: Handle): Promise<void> {
  await untilAccepted(handle);
  await handle.signal(paymentFact, aFact('failed', FAILED));
  await awaits(handle, 'retry');
}

const settled = (handle: Handle): Promise<void> => handle.signal(paymentFact, later('settled'));

/** A retry that is asked for while another one is waited for. */
const retried = (activities: Partial<Activities>, then: Parameters<typeof ending>[1]): Story =>
  ending(
    { ...ACTIVE_AT_ONCE, ...activities },
    async (handle, temporal) => {
      await failed(handle);
      await handle.executeUpdate(retryPayment, { args: [RETRY] });
      await then(handle, temporal);
    },
    triedAgain,
  );

const kept = (): Partial<Activities> =>
  onceStopped((lifted) => ({ submitPayment: lifted(shows('created')) }));

export const ATTEMPT_STORIES: Stories = {
  'payment-retried-by-policy': ending(
    { ...ACTIVE_AT_ONCE, retryPayment: () => Promise.resolve('accepted') },
    async (handle, { client }) => {
      await failed(handle);
      await skipTime(client, handle.workflowId);
      await untilPayment(
        handle,
        ({ attempts, awaiting }) => attempts.length === 2 && awaiting.what === 'settlement',
      );
      await settled(handle);
    },
    triedAgain,
  ),
  'payment-retried-by-a-caller': retried(
    { retryPayment: () => Promise.resolve('accepted') },
    async (handle) => {
      await awaits(handle, 'settlement');
      await settled(handle);
    },
  ),
  'payment-whose-retry-was-refused': retried(
    { retryPayment: () => Promise.reject(failure('rejected', ['ZPPRY01'])), lookUpPayment: shows('failed') },
    () => Promise.resolve(),
  ),
  'payment-begun-anew-by-a-retry': {
    activities: { ...accepted, ...ACTIVE_AT_ONCE, retryPayment: () => Promise.resolve('accepted') },
    live: async (temporal) => {
      const first = await startPaymentUnderAgreement(temporal);
      await untilAccepted(first);
      await first.signal(paymentFact, aFact('failed', FAILED));
      const { uid, carried } = await first.result();
      const ended = await runOf(temporal, first);
      const second = await temporal.client.workflow.start<typeof payment>(PAYMENT_WORKFLOW, {
        taskQueue: temporal.taskQueue,
        workflowId: first.workflowId,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        args: [{ uid, carried, retry: RETRY }],
      });
      await awaits(second, 'settlement');
      await settled(second);
      await second.result();
      return [ended, second];
    },
  },
  'payment-whose-retry-may-have-been-lost': retried(
    {
      retryPayment: () => Promise.reject(failure('unavailable')),
      findPayment: shows('failed'),
    },
    async (handle, temporal) => {
      await parked(handle, temporal);
      await handle.executeUpdate(resolveAttention, { args: [decide('close')] });
    },
  ),
  'payment-whose-retry-was-found': retried(
    { retryPayment: () => Promise.reject(failure('unavailable')), findPayment: shows('settled') },
    (handle, { client }) => skipTime(client, handle.workflowId),
  ),
  'payment-withdrawn-while-consent-was-awaited': ending(
    { submitPayment: () => Promise.reject(failure('needs_reauthorisation')) },
    async (handle) => {
      await awaits(handle, 'reauthorisation');
      await handle.executeUpdate(withdrawPayment, { args: [{ reason: 'not wanted', by: 'shop' }] });
    },
  ),
  'payment-withdrawn-while-a-retry-was-awaited': ending(
    ACTIVE_AT_ONCE,
    async (handle) => {
      await failed(handle);
      await handle.executeUpdate(withdrawPayment, { args: [{ reason: 'not wanted', by: 'shop' }] });
    },
    triedAgain,
  ),
  'payment-barred-by-its-agreement': ending(
    { submitPayment: () => Promise.reject(failure('needs_reauthorisation')) },
    async (handle) => {
      await awaits(handle, 'reauthorisation');
      const refusal = { code: 'agreement_final', detail: 'its agreement is over.' };
      await handle.signal(agreementAnswers, { refusal });
    },
  ),
  'payment-kept-back-by-a-stop': {
    activities: { ...ACTIVE_AT_ONCE, ...kept() },
    live: async (temporal) => {
      const handle = await startPaymentUnderAgreement(temporal);
      await untilAccepted(handle);
      await settled(handle);
      await handle.result();
      return [handle];
    },
  },
  'payment-lapsed-while-stopped': ending(
    {
      ...onceStopped((lifted) => ({ submitPayment: lifted(shows('created')) })),
      awaitLifting: () => Promise.reject(failure('stop')),
    },
    async (handle, { client }) => {
      await awaits(handle, 'stop');
      await skipTime(client, handle.workflowId);
    },
  ),
  'payment-parked-then-looked-up-then-unresolved': ending(absent, async (handle, temporal) => {
    await parked(handle, temporal);
    await handle.executeUpdate(lookUpNow);
    await handle.executeUpdate(resolveAttention, { args: [decide('close')] });
  }),
  'payment-parked-then-asked-for-once-more': ending(absent, async (handle, temporal) => {
    await judged('adopt')(handle, temporal);
    await awaits(handle, 'submission-outcome');
    await settled(handle);
  }),
  'payment-whose-uid-holds-another-adopted': ending(
    {
      ...another,
      lookUpPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'settled', { amount: 1 })),
    },
    judged('adopt'),
  ),
  'payment-whose-uid-holds-another-closed': ending(another, judged('close')),
  'payment-looked-up-for-a-difference': ending({ lookUpPayment: shows('settled') }, async (handle) => {
    await untilAccepted(handle);
    await handle.signal(paymentDiffers);
  }),
  'payment-refunded': {
    activities: {
      ...accepted,
      submitRefund: ({ uid, order }) => Promise.resolve(fetchedRefund(uid, 'created', order)),
      reportRefund: () => Promise.resolve(),
    },
    live: async (temporal) => {
      const { client, taskQueue } = temporal;
      const first = await startPayment(temporal);
      await untilAccepted(first);
      await settled(first);
      const { uid, carried } = await first.result();
      // As the API does it: a run that is over is taken up again by the request itself.
      const begun = new WithStartWorkflowOperation<typeof payment>(PAYMENT_WORKFLOW, {
        taskQueue,
        workflowId: first.workflowId,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'USE_EXISTING',
        args: [{ uid, carried }],
      });
      const refundUid = `ref-${uid}`;
      const args: [RefundRequest] = [{ uid: refundUid, order: aRefundOrder(uid) }];
      await client.workflow.executeUpdateWithStart(requestRefund, { args, startWorkflowOperation: begun });
      const second = await begun.workflowHandle();
      const refund = client.workflow.getHandle(refundWorkflowId(refundUid));
      await eventually(
        () => refund.query(getRefund),
        ({ awaiting }) => awaiting.what === 'refund',
      );
      await refund.signal(refundFact, later('processed'));
      await refund.result();
      const at = new Date().toISOString();
      const report = { uid: refundUid, amount: 100, outcome: 'processed', at } as const;
      await second.signal(refundReports, report);
      await second.result();
      return [second];
    },
  },
};
