import { recordsAway } from '../../workflows/contracts/every-workflow.js';
import { getPayment, paymentFact } from '../../workflows/payment/contract.js';
import { aFact } from '../support/facts.js';
import { eventually, skipTime } from '../support/temporal.js';
import { failure, fetchedPayment, nothingNew } from '../support/workflows/provider.js';
import { startPayment, untilPayment } from '../support/workflows/runs.js';
import { handedOver } from './lives.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Scripts } from './script.js';

export const accepted = {
  submitPayment: ({ uid }: { uid: string }) => Promise.resolve(fetchedPayment(uid, 'created')),
};
export const untilAccepted = (handle: WorkflowHandle) =>
  eventually(
    () => handle.query(getPayment),
    ({ awaiting }) => awaiting.what === 'settlement',
  );

const lacksConsent = (handle: WorkflowHandle) =>
  untilPayment(handle, ({ awaiting }) => awaiting.what === 'reauthorisation');

export const PAYMENT_SCRIPTS: Scripts = {
  'payment-refused': {
    activities: {
      submitPayment: () => Promise.reject(failure('rejected', ['ZPPAY01'])),
      findPayment: () => Promise.resolve(null),
    },
    live: async (temporal) => {
      const handle = await startPayment(temporal);
      await handle.result();
      return [handle];
    },
  },
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
  'payment-stored-after-an-outage-of-the-records': {
    activities: accepted,
    live: async (temporal) => {
      const handle = await startPayment(temporal);
      await untilAccepted(handle);
      await handle.signal(recordsAway, 0);
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
};
