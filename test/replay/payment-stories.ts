// The lives of payments.
import { getPayment, paymentFact } from '../../workflows/payment/contract.js';
import { aFact } from '../domain/facts.js';
import { eventually, skipTime } from '../support/temporal.js';
import { failure, fetchedPayment } from '../support/workflows/provider.js';
import { startPayment } from '../support/workflows/starting.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Stories } from './story.js';

export const accepted = {
  submitPayment: ({ uid }: { uid: string }) => Promise.resolve(fetchedPayment(uid, 'created')),
};
/** The provider's answer to the submission is in: what it is notified of then is newer. */
export const untilAccepted = (handle: WorkflowHandle) =>
  eventually(
    () => handle.query(getPayment),
    ({ awaiting }) => awaiting.what === 'settlement',
  );
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
      const handle = await startPayment(temporal);
      await skipTime(temporal.client, handle.workflowId);
      await handle.result();
      return [handle];
    },
  },
  'payment-parked-after-three-rounds': {
    activities: { ...unanswered, findPayment: () => Promise.resolve(null) },
    live: async (temporal) => {
      const handle = await startPayment(temporal);
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
};
