// The lives of payments.
import { randomUUID } from 'node:crypto';
import {
  PAYMENT_WORKFLOW,
  getPayment,
  paymentFact,
  paymentWorkflowId,
} from '../../workflows/payment/contract.js';
import { connectionRestored } from '../../workflows/entity/contract.js';
import { aFact } from '../support/facts.js';
import { eventually, skipTime } from '../support/temporal.js';
import { failure, fetchedPayment, nothingNew, ACTIVE_AT_ONCE } from '../support/workflows/provider.js';
import { startPayment, startPaymentUnderAgreement, untilPayment } from '../support/workflows/starting.js';
import { handedOver, isCancelRequested, onceFailing } from './lives.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { Fact } from '../../domain/fact.js';
import type { payment } from '../../workflows/payment/workflow.js';
import type { Temporal } from '../support/temporal.js';
import type { Stories, Story } from './story.js';

export const accepted = {
  submitPayment: ({ uid }: { uid: string }) => Promise.resolve(fetchedPayment(uid, 'created')),
};
/** The provider's answer to the submission is in: what it is notified of then is newer. */
export const untilAccepted = (handle: WorkflowHandle) =>
  eventually(
    () => handle.query(getPayment),
    ({ awaiting }) => awaiting.what === 'settlement',
  );

/** What happens to a payment before the provider says that it has settled. */
const settling = (
  activities: Partial<Activities>,
  live: (handle: WorkflowHandle, temporal: Temporal) => Promise<unknown> = () => Promise.resolve(),
): Story => ({
  activities: { ...ACTIVE_AT_ONCE, ...accepted, ...activities },
  live: async (temporal) => {
    const handle = await startPaymentUnderAgreement(temporal);
    await live(handle, temporal);
    await untilAccepted(handle);
    await handle.signal(paymentFact, aFact('settled'));
    await handle.result();
    return [handle];
  },
});

const lacksConsent = (handle: WorkflowHandle) =>
  untilPayment(handle, ({ awaiting }) => awaiting.what === 'reauthorisation');

const unanswered = { submitPayment: () => Promise.reject(failure('unavailable')) };

export const PAYMENT_STORIES: Stories = {
  'payment-failed': {
    activities: accepted,
    live: async (temporal) => {
      const handle = await startPayment(temporal);
      await untilAccepted(handle);
      await handle.signal(
        paymentFact,
        aFact('failed', { detail: { failure: { code: 'AM04', retryable: true } } }),
      );
      await handle.result();
      return [handle];
    },
  },
  'payment-refused': {
    activities: { submitPayment: () => Promise.reject(failure('rejected', ['ZPPAY01'])) },
    live: async (temporal) => {
      const handle = await startPayment(temporal);
      await handle.result();
      return [handle];
    },
  },
  'payment-found-again': {
    activities: { ...unanswered, findPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'settled')) },
    live: async (temporal) => {
      const handle = await startPayment(temporal);
      await skipTime(temporal.client, handle.workflowId);
      await handle.result();
      return [handle];
    },
  },
  'payment-sent-again': {
    activities: (() => {
      let calls = 0;
      return {
        ...ACTIVE_AT_ONCE,
        findPayment: () => Promise.resolve(null),
        submitPayment: ({ uid }: { uid: string }) => {
          calls += 1;
          return calls === 1
            ? Promise.reject(failure('unavailable'))
            : Promise.resolve(fetchedPayment(uid, 'settled'));
        },
      };
    })(),
    live: async (temporal) => {
      const handle = await startPaymentUnderAgreement(temporal);
      await skipTime(temporal.client, handle.workflowId);
      await handle.result();
      return [handle];
    },
  },
  'payment-parked-after-three-rounds': {
    activities: { ...ACTIVE_AT_ONCE, ...unanswered, findPayment: () => Promise.resolve(null) },
    live: async (temporal) => {
      const handle = await startPaymentUnderAgreement(temporal);
      await skipTime(temporal.client, handle.workflowId);
      await eventually(
        () => handle.query(getPayment),
        ({ awaiting, submissions }) => awaiting.what === 'operator' && submissions === 3,
      );
      await handle.signal(paymentFact, aFact('settled'));
      await handle.result();
      return [handle];
    },
  },
  'payment-parked': {
    activities: {
      ...unanswered,
      findPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created', { amount: 1 })),
    },
    live: async (temporal) => {
      const handle = await startPayment(temporal);
      await skipTime(temporal.client, handle.workflowId);
      await eventually(
        () => handle.query(getPayment),
        ({ awaiting }) => awaiting.what === 'operator',
      );
      return [handle];
    },
  },
  'payment-waiting-for-consent': settling(
    { submitPayment: onceFailing(failure('needs_reauthorisation'), accepted.submitPayment) },
    async (handle) => {
      await lacksConsent(handle);
      await handle.signal(connectionRestored);
    },
  ),
  'payment-lapsed-while-consent-was-awaited': {
    activities: { submitPayment: () => Promise.reject(failure('needs_reauthorisation')) },
    live: async (temporal) => {
      const handle = await startPayment(temporal);
      await lacksConsent(handle);
      await skipTime(temporal.client, handle.workflowId);
      await handle.result();
      return [handle];
    },
  },
  'payment-put-off-by-429': settling({
    submitPayment: onceFailing(failure('rate_limited'), accepted.submitPayment),
  }),
  'payment-that-temporal-was-asked-to-cancel': settling({}, async (handle) => {
    await untilAccepted(handle);
    await handle.cancel();
    await untilPayment(handle, isCancelRequested);
  }),
  'payment-adopted': {
    activities: {
      adoptPayment: ({ uid }) => Promise.resolve({ owner: 'acme', ...fetchedPayment(uid, 'created') }),
    },
    live: async ({ client, taskQueue }) => {
      const uid = `pay-${randomUUID()}`;
      // As a webhook begins it.
      const handle = await client.workflow.signalWithStart<typeof payment, [Fact]>(PAYMENT_WORKFLOW, {
        taskQueue,
        workflowId: paymentWorkflowId(uid),
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        args: [{ uid, connectionId: 'acme' }],
        signal: paymentFact,
        signalArgs: [aFact('pending')],
      });
      await untilAccepted(handle);
      await handle.signal(paymentFact, aFact('settled'));
      await handle.result();
      return [handle];
    },
  },
  'payment-that-nobody-knows': {
    activities: { adoptPayment: () => Promise.reject(nothingNew('10h')) },
    live: async (temporal) => {
      const handle = await startPayment(temporal, { order: undefined });
      await skipTime(temporal.client, handle.workflowId);
      await handle.result();
      return [handle];
    },
  },
  'payment-continued-as-new': {
    activities: accepted,
    live: async (temporal) => {
      const handle = await startPayment(temporal);
      await untilAccepted(handle);
      const [first, newest] = await handedOver(temporal, handle);
      await newest.signal(paymentFact, aFact('settled'));
      await newest.result();
      return [first, newest];
    },
  },
  'payment-continued-as-new-while-its-outcome-was-unknown': (() => {
    let isHandedOver = false;
    const findPayment: Activities['findPayment'] = ({ uid }) =>
      Promise.resolve(isHandedOver ? fetchedPayment(uid, 'settled') : null);
    return {
      activities: { ...unanswered, findPayment },
      live: async (temporal) => {
        const handle = await startPayment(temporal);
        await untilPayment(handle, ({ awaiting }) => awaiting.what === 'submission-outcome');
        const runs = await handedOver(temporal, handle);
        isHandedOver = true;
        await skipTime(temporal.client, handle.workflowId);
        await runs[1].result();
        return runs;
      },
    };
  })(),
};
