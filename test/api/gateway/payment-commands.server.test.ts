import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { paymentWorkflowId } from '../../../workflows/payment/contract.js';
import { anOrder } from '../../support/api/builders.js';
import { active, now, ofPayment, refusal, useDoor } from '../../support/api/gateway.js';
import { eventually, skipTime } from '../../support/temporal.js';
import { ACTIVE_AT_ONCE, fetchedPayment, only } from '../../support/workflows/provider.js';

const sent: string[] = [];
const { temporal, withDoor } = useDoor(
  only({
    ...ACTIVE_AT_ONCE,
    submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'created')),
    retryPayment: ({ uid }) => {
      sent.push(uid);
      return Promise.resolve('accepted');
    },
  }),
);

test('a closed failed payment is retried once per key and settles', async () => {
  await withDoor(async (door, connection) => {
    const agreement = await active(door, connection);
    const uid = `p-${randomUUID()}`;
    await door.payments.request(uid, { ...anOrder(), agreement_uid: agreement.uid });
    const publishing = (type: string, code?: string) =>
      ofPayment(uid, {
        type,
        publishedAt: now(),
        ...(code !== undefined && { detail: { failure: { code, retryable: true } } }),
      });
    const until = (state: string) =>
      eventually(
        () => door.payments.view(uid),
        (view) => view?.state === state,
      );
    /** A payment stays open for a while after its outcome. */
    const over = async () => {
      await skipTime(temporal.client, paymentWorkflowId(uid));
      await temporal.client.workflow.getHandle(paymentWorkflowId(uid)).result();
    };
    await until('created');
    await door.deliver(publishing('failed', 'AM04'), undefined);
    await over();
    const retry = { key: 'k-1', by: 'ops' };
    const withdrawal = { reason: 'too late', by: 'ops' };
    expect(await refusal(door.payments.withdraw(uid, withdrawal))).toMatchObject({ code: 'payment_final' });
    await door.payments.retry(uid, retry);
    await door.payments.retry(uid, retry);
    await until('retrying');
    expect(await refusal(door.payments.retry(uid, { ...retry, key: 'k-2' }))).toMatchObject({
      code: 'payment_not_failed',
    });
    await eventually(
      () => Promise.resolve(sent.length),
      (count) => count > 0,
    );
    await door.deliver(publishing('settled'), undefined);
    expect(await until('settled')).toMatchObject({ submissions: 2, attempts: [{ n: 1 }, { n: 2 }] });
    await over();
    await door.payments.retry(uid, retry);
    expect(await refusal(door.payments.retry(uid, { ...retry, key: 'k-2' }))).toMatchObject({
      code: 'payment_not_failed',
    });
    expect(sent).toEqual([uid]);
  });
});
