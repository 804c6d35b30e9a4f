import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import {
  AGREEMENT_WORKFLOW, agreementFact, agreementWorkflowId, connectionRestored, getAgreement, requestPayment,
} from '../../workflows/agreement.contract.js'; // prettier-ignore
import {
  PAYMENT_WORKFLOW,
  getPayment,
  paymentFact,
  paymentWorkflowId,
} from '../../workflows/payment.contract.js';
import { aFact } from '../domain/facts.js';
import { eventually, skipTime, useTemporal } from '../temporal.js';
import { A_MANDATE, agreementLook, anOrder, failure, nothingNew, only, paymentLook } from './provider.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { PaymentInput, PaymentView } from '../../workflows/payment.contract.js';

const temporal = useTemporal();
const until = (handle: WorkflowHandle, isIt: (view: PaymentView) => boolean) =>
  eventually(() => handle.query(getPayment), isIt);
const accepted = {
  submitPayment: ({ uid }: { uid: string }) => Promise.resolve(paymentLook(uid, 'created')),
};

async function start(input: Partial<PaymentInput> = {}): Promise<WorkflowHandle & { uid: string }> {
  const uid = `pay-${randomUUID()}`;
  const handle = await temporal.client.workflow.start(PAYMENT_WORKFLOW, {
    taskQueue: temporal.taskQueue,
    workflowId: paymentWorkflowId(uid),
    args: [{ uid, connectionId: 'acme', order: anOrder('agr-1'), ...input }],
  });
  return Object.assign(handle, { uid });
}

async function anActiveAgreement(): Promise<WorkflowHandle & { uid: string }> {
  const uid = `agr-${randomUUID()}`;
  const handle = await temporal.client.workflow.start(AGREEMENT_WORKFLOW, {
    taskQueue: temporal.taskQueue,
    workflowId: agreementWorkflowId(uid),
    args: [{ uid, connectionId: 'acme', mandate: A_MANDATE }],
  });
  await handle.signal(agreementFact, aFact('activated'));
  await eventually(
    () => handle.query(getAgreement),
    ({ state }) => state === 'active',
  );
  return Object.assign(handle, { uid });
}

const ask = (agreement: WorkflowHandle, uid: string, order = anOrder('agr-1')) =>
  agreement.executeUpdate(requestPayment, { args: [{ uid, order }] });

const refusal = (error: unknown): string | null | undefined =>
  error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure
    ? error.cause.type
    : undefined;

describe('a payment workflow', () => {
  test('is submitted, awaits its outcome, and ends settled once the provider says so', async () => {
    await temporal.run(only(accepted), async () => {
      const handle = await start();
      expect(await until(handle, ({ state }) => state === 'created')).toMatchObject({
        awaiting: { what: 'settlement' },
      });
      await handle.signal(paymentFact, aFact('settled'));
      expect(await handle.result()).toMatchObject({ state: 'settled', submissions: 1 });
    });
  });

  test('ends failed, saying why and whether it could be retried', async () => {
    const why = { code: 'AM04', title: 'Insufficient funds', retryable: true };
    await temporal.run(only(accepted), async () => {
      const handle = await start();
      await handle.signal(paymentFact, aFact('failed', { detail: { failure: why } }));
      expect(await handle.result()).toMatchObject({ state: 'failed', failure: why });
    });
  });

  test('ends failed when the provider refuses it', async () => {
    await temporal.run(
      only({ submitPayment: () => Promise.reject(failure('rejected', ['ZPPAY01'])) }),
      async () => {
        const handle = await start();
        expect(await handle.result()).toMatchObject({
          state: 'failed',
          failure: { code: 'ZPPAY01', retryable: false },
        });
      },
    );
  });

  test('is found settled by asking when every webhook is lost', async () => {
    const watchPayment = ({ uid, shown }: { uid: string; shown: string }) =>
      Promise.resolve(paymentLook(uid, shown === 'created' ? 'submitting' : 'settled'));
    await temporal.run(only({ ...accepted, watchPayment }), async () => {
      expect(await (await start()).result()).toMatchObject({ state: 'settled', submissions: 1 });
    });
  });

  test('is not sent again when its answer was lost and the provider has it', async () => {
    let submissions = 0;
    const submitPayment = () => {
      submissions += 1;
      return Promise.reject(failure('unavailable'));
    };
    const findPayment = ({ uid }: { uid: string }) =>
      Promise.resolve(paymentLook(uid, 'settled', { amount: 4200 }));
    await temporal.run(only({ submitPayment, findPayment }), async () => {
      const handle = await start();
      const unsure = await until(handle, ({ attention }) => attention.length > 0);
      expect(unsure).toMatchObject({
        attention: [{ code: 'unknown_outcome' }],
        awaiting: { what: 'submission-outcome' },
      });
      await skipTime(temporal.client, handle.workflowId);
      expect(await handle.result()).toMatchObject({ state: 'settled', submissions: 1, attention: [] });
      expect(submissions).toBe(1);
    });
  });

  test('is sent again under the same uid only after the provider has not known it for two minutes', async () => {
    const sent: { uid: string; asked: number }[] = [];
    let asked = 0;
    const submitPayment = ({ uid }: { uid: string }) => {
      sent.push({ uid, asked });
      return sent.length === 1
        ? Promise.reject(failure('unavailable'))
        : Promise.resolve(paymentLook(uid, 'settled'));
    };
    const findPayment = () => {
      asked += 1;
      return Promise.resolve(null);
    };
    await temporal.run(only({ submitPayment, findPayment }), async () => {
      const handle = await start();
      await skipTime(temporal.client, handle.workflowId);
      expect(await handle.result()).toMatchObject({ state: 'settled', submissions: 2 });
      expect(sent).toEqual([
        { uid: handle.uid, asked: 0 },
        { uid: handle.uid, asked: 4 },
      ]);
    });
  });

  test('is taken for ours when the provider calls its uid a duplicate and shows what we meant', async () => {
    const submitPayment = () => Promise.reject(failure('rejected', ['ZPPAY00']));
    const findPayment = ({ uid }: { uid: string }) =>
      Promise.resolve(paymentLook(uid, 'settled', { amount: 4200 }));
    await temporal.run(only({ submitPayment, findPayment }), async () => {
      const handle = await start();
      await skipTime(temporal.client, handle.workflowId);
      expect(await handle.result()).toMatchObject({ state: 'settled', submissions: 1 });
    });
  });

  test('is parked for a person when the provider has another payment under its uid', async () => {
    const submitPayment = () => Promise.reject(failure('unavailable'));
    const findPayment = ({ uid }: { uid: string }) =>
      Promise.resolve(paymentLook(uid, 'created', { amount: 9900 }));
    await temporal.run(only({ submitPayment, findPayment }), async () => {
      const handle = await start();
      await skipTime(temporal.client, handle.workflowId);
      const parked = await until(handle, ({ awaiting }) => awaiting.what === 'operator');
      expect(parked).toMatchObject({ submissions: 1, attention: [{ code: 'parked' }] });
      expect(parked.attention[0]?.detail).toContain('/amount');
      await handle.terminate();
    });
  });

  test('a webhook for a payment in doubt ends the doubt', async () => {
    await temporal.run(only({ submitPayment: () => Promise.reject(failure('unavailable')) }), async () => {
      const handle = await start();
      await until(handle, ({ awaiting }) => awaiting.what === 'submission-outcome');
      await handle.signal(paymentFact, aFact('settled'));
      expect(await handle.result()).toMatchObject({ state: 'settled', submissions: 1, attention: [] });
    });
  });

  test('does not believe in money that an unauthenticated event claims', async () => {
    const lookUpPayment = ({ uid }: { uid: string }) => Promise.resolve(paymentLook(uid, 'created'));
    await temporal.run(only({ ...accepted, lookUpPayment }), async () => {
      const handle = await start();
      await until(handle, ({ state }) => state === 'created');
      await handle.signal(paymentFact, aFact('settled', { authenticated: false }));
      await until(handle, ({ awaiting }) => awaiting.what === 'settlement');
      expect(await handle.query(getPayment)).toMatchObject({ state: 'created' });
      await handle.terminate();
    });
  });

  test('waits for consent, having sent nothing, and is then submitted once', async () => {
    let calls = 0;
    const submitPayment = ({ uid }: { uid: string }) => {
      calls += 1;
      return calls === 1
        ? Promise.reject(failure('forbidden'))
        : Promise.resolve(paymentLook(uid, 'settled'));
    };
    await temporal.run(only({ submitPayment }), async () => {
      const handle = await start();
      const waits = await until(handle, ({ awaiting }) => awaiting.what === 'reauthorisation');
      expect(waits.attention).toMatchObject([{ code: 'forbidden' }]);
      await handle.signal(connectionRestored);
      expect(await handle.result()).toMatchObject({ state: 'settled' });
    });
  });

  test('adopts a payment that nobody asked for here', async () => {
    const adoptPayment = ({ uid }: { uid: string }) =>
      Promise.resolve({
        owner: 'acme',
        ...paymentLook(uid, 'settled', { agreement_uid: 'agr-9', amount: 70 }),
      });
    await temporal.run(only({ adoptPayment }), async () => {
      const handle = await start({ order: undefined, connectionId: undefined });
      expect(await handle.result()).toMatchObject({
        state: 'settled',
        submissions: 0,
        order: { agreement_uid: 'agr-9' },
      });
    });
  });

  test('ends unknown when in a whole day no connection shows it', async () => {
    await temporal.run(only({ adoptPayment: () => Promise.reject(nothingNew('10h')) }), async () => {
      const handle = await start({ order: undefined });
      await skipTime(temporal.client, handle.workflowId);
      expect(await handle.result()).toMatchObject({ state: 'unknown', attention: [{ code: 'orphan' }] });
    });
  });
});

describe('admission of a payment', () => {
  const world = only({
    ...accepted,
    createAgreement: ({ uid }: { uid: string }) => Promise.resolve(agreementLook(uid, 'created')),
  });

  test('notes it in the ledger and starts one workflow, however often it is asked for', async () => {
    await temporal.run(world, async () => {
      const agreement = await anActiveAgreement();
      const uid = `pay-${randomUUID()}`;
      expect(await ask(agreement, uid)).toEqual({ uid, fresh: true });
      expect(await ask(agreement, uid)).toEqual({ uid, fresh: false });
      const { payments } = await agreement.query(getAgreement);
      expect(payments).toMatchObject([{ uid, amount: 4200 }]);
      await until(
        temporal.client.workflow.getHandle(paymentWorkflowId(uid)),
        ({ state }) => state === 'created',
      );
    });
  });

  test('refuses a known uid with other particulars', async () => {
    await temporal.run(world, async () => {
      const agreement = await anActiveAgreement();
      const uid = `pay-${randomUUID()}`;
      await ask(agreement, uid);
      const error = await ask(agreement, uid, anOrder('agr-1', { amount: 4201 })).catch(refusal);
      expect(error).toBe('payment_uid_conflict');
    });
  });

  test('refuses a uid that is another agreement’s payment, and forgets it', async () => {
    await temporal.run(world, async () => {
      const [one, other] = [await anActiveAgreement(), await anActiveAgreement()];
      const uid = `pay-${randomUUID()}`;
      await ask(one, uid);
      expect(await ask(other, uid).catch(refusal)).toBe('payment_uid_conflict');
      expect((await other.query(getAgreement)).payments).toEqual([]);
    });
  });

  test('refuses what exceeds the terms, writing nothing', async () => {
    await temporal.run(world, async () => {
      const agreement = await anActiveAgreement();
      const error = await ask(agreement, 'pay-1', anOrder('agr-1', { amount: 25_001 })).catch(refusal);
      expect(error).toBe('amount_over_maximum');
      const { events } = await agreement.fetchHistory();
      expect(events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toEqual([]);
    });
  });

  test('refuses while the agreement is not active, and lets a repeat of an admitted one through', async () => {
    await temporal.run(world, async () => {
      const agreement = await anActiveAgreement();
      const uid = `pay-${randomUUID()}`;
      await ask(agreement, uid);
      await agreement.signal(agreementFact, aFact('suspended'));
      expect(await ask(agreement, 'pay-2').catch(refusal)).toBe('agreement_not_active');
      expect(await ask(agreement, uid)).toEqual({ uid, fresh: false });
    });
  });
});
