import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { agreementFact, getAgreement, requestPayment } from '../../workflows/agreement/contract.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { aFact } from '../domain/facts.js';
import { useTemporal } from '../support/temporal.js';
import { agreementLook, anOrder, only, paymentLook, refusalIn } from './provider.js';
import { startAgreement, untilAgreement, untilPayment } from './starting.js';
import type { WorkflowHandle } from '@temporalio/client';

const temporal = useTemporal();
const accepted = {
  submitPayment: ({ uid }: { uid: string }) => Promise.resolve(paymentLook(uid, 'created')),
};

async function anActiveAgreement(): Promise<WorkflowHandle> {
  const handle = await startAgreement(temporal);
  await handle.signal(agreementFact, aFact('activated'));
  await untilAgreement(handle, ({ state }) => state === 'active');
  return handle;
}

const ask = (agreement: WorkflowHandle, uid: string, order = anOrder('agr-1')) =>
  agreement.executeUpdate(requestPayment, { args: [{ uid, order }] });

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
      await untilPayment(
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
      const error = await ask(agreement, uid, anOrder('agr-1', { amount: 4201 })).catch(refusalIn);
      expect(error).toBe('payment_uid_conflict');
    });
  });

  test('refuses a uid that is another agreement’s payment, and forgets it', async () => {
    await temporal.run(world, async () => {
      const [one, other] = [await anActiveAgreement(), await anActiveAgreement()];
      const uid = `pay-${randomUUID()}`;
      await ask(one, uid);
      expect(await ask(other, uid).catch(refusalIn)).toBe('payment_uid_conflict');
      expect((await other.query(getAgreement)).payments).toEqual([]);
    });
  });

  test('refuses what exceeds the terms, writing nothing', async () => {
    await temporal.run(world, async () => {
      const agreement = await anActiveAgreement();
      const error = await ask(agreement, 'pay-1', anOrder('agr-1', { amount: 25_001 })).catch(refusalIn);
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
      expect(await ask(agreement, 'pay-2').catch(refusalIn)).toBe('agreement_not_active');
      expect(await ask(agreement, uid)).toEqual({ uid, fresh: false });
    });
  });
});
