// The lives of agreements that hand over to a fresh run while something is open.
import { randomUUID } from 'node:crypto';
import {
  agreementFact,
  connectionRestored,
  lookUpNow,
  requestAction,
  requestPayment,
} from '../../workflows/agreement/contract.js';
import { paymentFact, paymentWorkflowId } from '../../workflows/payment/contract.js';
import { aFact } from '../support/facts.js';
import { eventsOf, eventually } from '../support/temporal.js';
import { anOrder, failure, fetchedPayment } from '../support/workflows/provider.js';
import { startAgreement } from '../support/workflows/starting.js';
import {
  AMEND,
  TAKES_ALL,
  asked,
  atRest,
  awaits,
  ended,
  firstCommandDelayed,
  onceFailing,
  showing,
  until,
} from './lives.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { Temporal } from '../support/temporal.js';
import type { Started } from '../support/workflows/starting.js';
import type { Stories, Story } from './story.js';

/** More than a run holds, of a kind that answers nothing which is open here. */
async function filled(handle: WorkflowHandle): Promise<void> {
  for (let count = 0; count < 520; count += 1) await handle.signal(agreementFact, aFact('suspension_failed'));
}

/** What happens before a handover and after it, to an active agreement that the payer cancels in the end. */
const handingOver = (
  activities: Partial<Activities>,
  before: (handle: Started<WorkflowHandle>) => Promise<unknown>,
  after: (newest: WorkflowHandle) => Promise<unknown>,
): Story => ({
  activities: { ...TAKES_ALL, ...activities },
  live: async (temporal) => {
    const first = await startAgreement(temporal);
    const { runId } = await first.describe();
    await first.signal(agreementFact, aFact('activated'));
    await until(first, atRest);
    await before(first);
    await filled(first);
    const newest = temporal.client.workflow.getHandle(first.workflowId);
    await eventually(
      () => newest.describe(),
      (run) => run.runId !== runId,
    );
    await after(newest);
    await ended(newest);
    return [temporal.client.workflow.getHandle(first.workflowId, runId), newest];
  },
});

export const HAND_OVER_STORIES: Stories = {
  'continued-as-new-once-a-cancelled-command-had-ended': (() => {
    const { sendCommand, eventBeforeAnswer, letGo } = firstCommandDelayed();
    return handingOver(
      { sendCommand },
      async (handle) => {
        await eventBeforeAnswer(handle);
        void eventually(
          () => eventsOf(handle),
          (count) => count > 520,
        ).then(letGo);
      },
      async (newest) => {
        const request = { key: 'r-1', ask: { kind: 'reactivation', body: {} } };
        await newest.executeUpdate(requestAction, { args: [request] });
        await newest.signal(agreementFact, aFact('reactivated', { causedBy: 'initiator' }));
        await until(newest, atRest);
      },
    );
  })(),
  'continued-as-new-with-an-amendment-under-way': handingOver(
    {},
    (handle) => asked(handle, AMEND),
    async (newest) => {
      const request = { key: 'key-amendment', ask: AMEND };
      await newest.executeUpdate(requestAction, { args: [request] });
      await newest.signal(agreementFact, aFact('amendment_declined', { causedBy: 'debtor' }));
      await until(newest, atRest);
    },
  ),
  'continued-as-new-with-payments-in-the-ledger': (() => {
    const uids = [`pay-${randomUUID()}`, `pay-${randomUUID()}`] as const;
    const ask = (handle: WorkflowHandle, uid: string) =>
      handle.executeUpdate(requestPayment, { args: [{ uid, order: anOrder('agr-1') }] });
    const story = handingOver(
      { submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'settled')) },
      (handle) => ask(handle, uids[0]),
      async (newest) => {
        for (const uid of uids) await ask(newest, uid);
      },
    );
    return {
      ...story,
      live: async (temporal) => {
        const runs = await story.live(temporal);
        const payments = uids.map((uid) => temporal.client.workflow.getHandle(paymentWorkflowId(uid)));
        await Promise.all(payments.map((payment) => payment.result()));
        return [...runs, ...payments];
      },
    };
  })(),
  'continued-as-new-once-a-command-was-answered': (() => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const sendCommand: Activities['sendCommand'] = async () => {
      await answered;
      return { outcome: 'accepted' };
    };
    return handingOver(
      { sendCommand },
      async (handle) => {
        await handle.executeUpdate(requestAction, { args: [{ key: 'key-amendment', ask: AMEND }] });
        await filled(handle);
        answer();
      },
      async (newest) => {
        await until(newest, awaits('amendment-decision'));
        await newest.signal(agreementFact, aFact('amendment_declined', { causedBy: 'debtor' }));
        await until(newest, ({ pending }) => pending.length === 0);
      },
    );
  })(),
  'continued-as-new-with-a-payment-under-investigation': (() => {
    const uid = `pay-${randomUUID()}`;
    const payment = ({ client }: Temporal) => client.workflow.getHandle(paymentWorkflowId(uid));
    const story = handingOver(
      { submitPayment: (of) => Promise.resolve(fetchedPayment(of.uid, 'under_investigation')) },
      (handle) => handle.executeUpdate(requestPayment, { args: [{ uid, order: anOrder('agr-1') }] }),
      (newest) => newest.executeUpdate(requestPayment, { args: [{ uid, order: anOrder('agr-1') }] }),
    );
    return {
      ...story,
      live: async (temporal) => {
        const runs = await story.live(temporal);
        await payment(temporal).signal(paymentFact, aFact('settled'));
        await payment(temporal).result();
        return [...runs, payment(temporal)];
      },
    };
  })(),
  'older-facts-dropped-and-a-forgotten-one-received-again': {
    activities: { ...TAKES_ALL, lookUpAgreement: showing('active') },
    live: async (temporal) => {
      const first = await startAgreement(temporal);
      const newest = temporal.client.workflow.getHandle(first.workflowId);
      const runs = [await first.describe()];
      const [activated, oldest, resumed] = [
        aFact('activated'),
        aFact('suspended', { causedBy: 'debtor' }),
        aFact('reactivated'),
      ];
      for (const fact of [activated, oldest, resumed]) await first.signal(agreementFact, fact);
      await until(first, atRest);
      for (let count = 0; count < 2; count += 1) {
        await filled(newest);
        runs.push(
          await eventually(
            () => newest.describe(),
            (run) => run.runId !== runs.at(-1)?.runId,
          ),
        );
      }
      for (let count = 0; count < 3; count += 1) await newest.signal(agreementFact, oldest);
      await until(newest, atRest);
      await ended(newest);
      return runs.map(({ runId }) => temporal.client.workflow.getHandle(first.workflowId, runId));
    },
  },
  'continued-as-new-while-consent-is-awaited': handingOver(
    { lookUpAgreement: onceFailing(failure('forbidden'), showing('active')) },
    async (handle) => {
      await handle.executeUpdate(lookUpNow);
      await until(handle, awaits('reauthorisation'));
    },
    async (newest) => {
      await newest.signal(connectionRestored);
      await until(newest, atRest);
    },
  ),
};
