import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { requireInTime } from '../../../activities/payment/in-time.js';
import { submitOnce } from '../../../activities/resource/submit-once.js';
import { agreementFact, getAgreement, requestPayment } from '../../../workflows/agreement/contract.js';
import { paymentWorkflowId } from '../../../workflows/payment/contract.js';
import { aFact } from '../../support/facts.js';
import { eventually, useTemporal } from '../../support/temporal.js';
import { anOrder, fetchedAgreement, fetchedPayment, only } from '../../support/workflows/provider.js';
import { startAgreement } from '../../support/workflows/runs.js';
import { unanswered } from '../../support/workflows/virtual.js';
import type { Call } from '../../../payments-api/client.js';
import type { WithAccess } from '../../../activities/tokens/access.js';

const temporal = useTemporal();

function aStandstill() {
  const door = unanswered<void>();
  const sent: string[] = [];
  let asked = 0;
  const withAccess: WithAccess = async (connectionId, work) => {
    asked += 1;
    if (asked === 1) await door.answer;
    return work({ accessToken: 'a', connectionId });
  };
  const deps = () => ({ withAccess, temporal: temporal.client, now: Date.now });
  return { open: () => door.open(undefined), sent, deps, asked: () => asked };
}

test('a submission is sent only by the next attempt if its worker stopped before sending', async () => {
  const { open, sent, deps } = aStandstill();
  const ended: unknown[] = [];
  const activities = only({
    createAgreement: ({ uid, connectionId }) => {
      const created = submitOnce(deps(), connectionId, async ({ beforeWrite }) => {
        await beforeWrite?.();
        sent.push(uid);
        return fetchedAgreement(uid, 'created').snapshot;
      });
      created.catch((error: unknown) => ended.push(error));
      return created;
    },
  });
  const uid = `agr-${randomUUID()}`;
  await temporal.run(activities, async () => {
    const agreement = await startAgreement(temporal, { uid });
    await eventually(
      () => Promise.resolve(sent),
      ({ length }) => length === 1,
    );
    open();
    await eventually(
      () => Promise.resolve(ended),
      ({ length }) => length === 1,
    );
    expect(ended).toMatchObject([{ type: 'not_marked' }]);
    const view = await eventually(
      () => agreement.query(getAgreement),
      ({ awaiting }) => awaiting.what === 'payer-decision',
    );
    expect(view.attention).toEqual([]);
    await agreement.signal(agreementFact, aFact('cancelled'));
    await agreement.result();
  });
  expect(sent).toEqual([uid]);
});

test('a submission is looked up, not resent, if its worker stopped after sending', async () => {
  const answer = unanswered<void>();
  const { sent, deps, open } = aStandstill();
  open();
  const found: string[] = [];
  const uid = `agr-${randomUUID()}`;
  const activities = only({
    createAgreement: async ({ connectionId }) => {
      await submitOnce(deps(), connectionId, async ({ beforeWrite }) => {
        await beforeWrite?.();
        sent.push(uid);
        return fetchedAgreement(uid, 'created').snapshot;
      });
      await answer.answer;
      throw new Error('expected the result of the timed-out attempt to be ignored');
    },
    findAgreement: () => {
      found.push(uid);
      return Promise.resolve(fetchedAgreement(uid, 'created'));
    },
  });
  await temporal.run(activities, async () => {
    const agreement = await startAgreement(temporal, { uid });
    await eventually(
      () => agreement.query(getAgreement),
      ({ awaiting }) => awaiting.what === 'payer-decision',
    );
    expect([sent, found]).toEqual([[uid], [uid]]);
    answer.open(undefined);
    await agreement.signal(agreementFact, aFact('cancelled'));
    await agreement.result();
  });
});

test('a delayed payment is not sent if its agreement has ended', async () => {
  const { open, sent, deps, asked } = aStandstill();
  const uid = `agr-${randomUUID()}`;
  const pay = `pay-${randomUUID()}`;
  const activities = only({
    createAgreement: () => Promise.resolve(fetchedAgreement(uid, 'active')),
    submitPayment: ({ connectionId, ...time }) => {
      const aMinuteLater = { now: () => Date.now() + 60_000 };
      const send = async ({ beforeWrite }: Call) => {
        await beforeWrite?.();
        sent.push(pay);
        return fetchedPayment(pay, 'created').snapshot;
      };
      return submitOnce(deps(), connectionId, send, () => Promise.resolve(requireInTime(aMinuteLater, time)));
    },
  });
  await temporal.run(activities, async () => {
    const agreement = await startAgreement(temporal, { uid });
    await agreement.signal(agreementFact, aFact('activated'));
    await agreement.executeUpdate(requestPayment, { args: [{ uid: pay, order: anOrder(uid) }] });
    const payment = temporal.client.workflow.getHandle(paymentWorkflowId(pay));
    await eventually(() => Promise.resolve(asked()), Boolean);
    await agreement.signal(agreementFact, aFact('cancelled'));
    open();
    expect(await payment.result()).toMatchObject({
      ...{ state: 'failed', carried: { state: { submission: { count: 0 } } } },
    });
    await agreement.result();
  });
  expect(sent).toEqual([]);
});
