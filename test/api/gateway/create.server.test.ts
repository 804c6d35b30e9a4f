// Concurrent requests to several API processes create each resource once.
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { RECORDS_AWAY } from '../../support/records-away.js';
import { createGateway } from '../../../api/gateway/create.js';
import {
  RETRIES_WITHIN_LIMITS,
  createUpdateLimiter,
  isOverUpdateLimit,
} from '../../../api/gateway/temporal/update-limiter.js';
import {
  AGREEMENT_WORKFLOW,
  agreementWorkflowId,
  requestPayment,
  type PaymentRequest,
} from '../../../workflows/agreement/contract.js';
import { SEALED, eventually } from '../../support/temporal.js';
import { fetchedAgreement, fetchedPayment, only } from '../../support/workflows/provider.js';
import { aMandate, anOrder } from '../../support/api/builders.js';
import { active, ofAgreement, patiently, reaches, refusal, useDoor } from '../../support/api/gateway.js';

const submitted: string[] = [];
const { temporal, withDoor } = useDoor(
  only({
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
    submitPayment: ({ uid, order }) => {
      submitted.push(uid);
      return Promise.resolve(fetchedPayment(uid, 'settled', order));
    },
  }),
);

let connection: Connection;
let client: Client;
beforeAll(async () => {
  connection = await Connection.connect({
    address: inject('temporalAddress'),
    ...RETRIES_WITHIN_LIMITS,
  });
  client = new Client({ connection, dataConverter: SEALED });
});
afterAll(() => connection.close());

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const doors = (count: number, taskQueue: string) =>
  times(count, () => createGateway(client, taskQueue, RECORDS_AWAY, { turns: createUpdateLimiter(60_000) }));

test('200 identical payment requests to ten processes create one payment', async () => {
  await withDoor(async (door, account) => {
    const { uid: agreement_uid } = await active(door, account);
    const uid = `p-${randomUUID()}`;
    const order = { ...anOrder(), agreement_uid };
    const use = { key: 'key', uid, body: 'body' };
    const answers = await Promise.all(
      doors(10, temporal.taskQueue).flatMap(({ payments }) =>
        times(20, () => patiently(() => payments.request(uid, order, use))),
      ),
    );
    expect(new Set(answers.map((answer) => answer.uid))).toEqual(new Set([uid]));
    const settled = await eventually(
      () => door.payments.view(uid),
      (view) => view?.state === 'settled',
    );
    expect(settled?.submissions).toBe(1);
    expect(submitted.filter((one) => one === uid)).toHaveLength(1);
    const [other] = doors(1, temporal.taskQueue);
    expect(await other?.payments.request(uid, order, use)).toMatchObject({ state: 'settled' });
  });
});

test('six different payment requests to three processes are each admitted once', async () => {
  await withDoor(async (door, account) => {
    const { uid: agreement_uid } = await active(door, account);
    const answers = await Promise.all(
      doors(3, temporal.taskQueue).flatMap(({ payments }) =>
        times(2, () => {
          const uid = `p-${randomUUID()}`;
          return patiently(() => payments.request(uid, { ...anOrder(), agreement_uid }));
        }),
      ),
    );
    const view = await door.agreements.whole(agreement_uid);
    expect(view?.payments.map(({ uid }) => uid).sort()).toEqual(answers.map(({ uid }) => uid).sort());
    expect(answers).toHaveLength(6);
  });
});

test('a payment request refused earlier is validated again when repeated', async () => {
  await withDoor(async (door, account) => {
    const { uid: agreement_uid } = await door.agreements.start({
      uid: `a-${randomUUID()}`,
      connection: account,
      mandate: aMandate(),
    });
    const ask = () => door.payments.request('p-refused', { ...anOrder(), agreement_uid, amount: 1_000_000 });
    expect(await refusal(ask())).toMatchObject({ code: 'agreement_not_active' });
    await door.deliver(ofAgreement(agreement_uid), undefined);
    await reaches(door, agreement_uid, 'active');
    expect(await refusal(ask())).toMatchObject({ code: 'amount_over_maximum' });
  });
});

test("Temporal's update limit error is recognised immediately", async () => {
  const uid = `a-${randomUUID()}`;
  const handle = await client.workflow.start(AGREEMENT_WORKFLOW, {
    workflowId: agreementWorkflowId(uid),
    taskQueue: `nobody-polls-${randomUUID()}`,
    args: [{ uid }],
  });
  const args: [PaymentRequest] = [{ uid: 'p', order: { ...anOrder(), agreement_uid: uid } }];
  const met = times(11, () =>
    handle.executeUpdate(requestPayment, { args }).catch((error: unknown) => error),
  );
  expect(isOverUpdateLimit(await Promise.race(met))).toBe(true);
  await handle.terminate('its test is over');
  await Promise.all(met);
});
