import { randomUUID } from 'node:crypto';
import {
  agreementFact,
  getAgreement,
  requestPayment,
  type AgreementView,
} from '../../workflows/agreement/contract.js';
import { paymentFact, paymentWorkflowId } from '../../workflows/payment/contract.js';
import { aFact } from '../support/facts.js';
import { eventually, fastForward, skipTime } from '../support/temporal.js';
import {
  A_MANDATE,
  fetchedAgreement,
  anOrder,
  failure,
  nothingNew,
  refusalIn,
} from '../support/workflows/provider.js';
import { startAgreement } from '../support/workflows/runs.js';
import { onceFailing } from './lives.js';
import { accepted, untilAccepted } from './payment-scripts.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { AgreementLifecycleState } from '../../domain/agreement/lifecycle.js';
import type { Scripts, Script } from './script.js';

const created = {
  createAgreement: ({ uid }: { uid: string }) => Promise.resolve(fetchedAgreement(uid, 'created')),
};
const reached = (handle: WorkflowHandle, state: AgreementLifecycleState) =>
  eventually(
    () => handle.query(getAgreement),
    (view) => view.state === state && view.awaiting.what !== 'look-up',
  );

const submitted = (activities: Partial<Activities>, state: AgreementLifecycleState): Script => ({
  activities: {
    createAgreement: onceFailing(failure('unavailable'), created.createAgreement),
    ...activities,
  },
  live: async (temporal) => {
    const handle = await startAgreement(temporal);
    await skipTime(temporal.client, handle.workflowId);
    const isKnown = ({ state: met, awaiting: { what } }: AgreementView): boolean =>
      met === state && (what === 'payer-decision' || what === 'operator' || what === 'nothing');
    await eventually(() => handle.query(getAgreement), isKnown);
    await skipTime(temporal.client, handle.workflowId, false).catch(hasEnded);
    if (state !== 'failed') await handle.signal(agreementFact, aFact('declined'));
    await handle.result();
    return [handle];
  },
});

const hasEnded = (error: unknown): void => {
  if (!(error instanceof Error) || !error.message.includes('already completed')) throw error;
};

export const AGREEMENT_SCRIPTS: Scripts = {
  'agreement-refused': {
    activities: {
      createAgreement: () => Promise.reject(failure('rejected', ['ZPAGR12'])),
      findAgreement: () => Promise.resolve(null),
    },
    live: async (temporal) => {
      const handle = await startAgreement(temporal);
      await handle.result();
      return [handle];
    },
  },
  'agreement-after-a-daily-limit': {
    activities: {
      ...created,
      resolveAlias: onceFailing(failure('rejected', ['ZPADD02'], 'limit'), () =>
        Promise.resolve({ name: 'Ada P' }),
      ),
    },
    live: async (temporal) => {
      const account_identifier = { type: 'alias_email', value: 'a@payer.example' };
      const mandate = { ...A_MANDATE, debtor: { party_name: 'A Payer', account_identifier } };
      const payer = { requester_id: 'customer-77', remote_ip: '203.0.113.7' };
      const handle = await startAgreement(temporal, { mandate, payer });
      await skipTime(temporal.client, handle.workflowId);
      await reached(handle, 'created');
      await handle.signal(agreementFact, aFact('declined'));
      await handle.result();
      return [handle];
    },
  },
  'agreement-created-by-a-second-submission': submitted(
    { findAgreement: () => Promise.resolve(null) },
    'created',
  ),
  'agreement-overdue': {
    activities: created,
    live: async (temporal) => {
      const handle = await startAgreement(temporal);
      await reached(handle, 'created');
      await fastForward(temporal.client, handle.workflowId, 5 * 86_400 + 60);
      await eventually(
        () => handle.query(getAgreement),
        ({ attention }) => attention.length > 0,
      );
      await handle.signal(agreementFact, aFact('expired'));
      await handle.result();
      return [handle];
    },
  },
  'agreement-adopted': {
    activities: {
      adoptAgreement: ({ uid }) => Promise.resolve({ owner: 'acme', ...fetchedAgreement(uid, 'active') }),
    },
    live: async (temporal) => {
      const handle = await startAgreement(temporal, { mandate: undefined });
      await reached(handle, 'active');
      await handle.signal(agreementFact, aFact('cancelled'));
      await handle.result();
      return [handle];
    },
  },
  'agreement-unknown': {
    activities: { adoptAgreement: () => Promise.reject(nothingNew('10h')) },
    live: async (temporal) => {
      const handle = await startAgreement(temporal, { mandate: undefined });
      await skipTime(temporal.client, handle.workflowId);
      await handle.result();
      return [handle];
    },
  },
  'agreement-with-a-payment': {
    activities: { ...created, ...accepted },
    live: async (temporal) => {
      const handle = await startAgreement(temporal);
      await handle.signal(agreementFact, aFact('activated'));
      await reached(handle, 'active');
      const uid = `pay-${randomUUID()}`;
      const request = { uid, order: anOrder(handle.workflowId.slice('agreement/'.length)) };
      await handle.executeUpdate(requestPayment, { args: [request] });
      await handle.executeUpdate(requestPayment, { args: [request] });
      const payment = temporal.client.workflow.getHandle(paymentWorkflowId(uid));
      await untilAccepted(payment);
      await payment.signal(paymentFact, aFact('settled'));
      await payment.result();
      await handle.signal(agreementFact, aFact('cancelled'));
      await handle.result();
      return [handle, payment];
    },
  },
  'agreement-asked-for-the-payment-of-another': {
    activities: { ...created, ...accepted },
    live: async (temporal) => {
      const uid = `pay-${randomUUID()}`;
      const runs = [];
      for (let run = 0; run < 2; run += 1) {
        const handle = await startAgreement(temporal);
        runs.push(handle);
        await handle.signal(agreementFact, aFact('activated'));
        await reached(handle, 'active');
        const request = { uid, order: anOrder(handle.workflowId.slice('agreement/'.length)) };
        await handle.executeUpdate(requestPayment, { args: [request] }).catch(refusalIn);
        await handle.signal(agreementFact, aFact('cancelled'));
        await handle.result();
      }
      return runs;
    },
  },
};
