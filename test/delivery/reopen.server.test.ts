// A closed payment that two processes reopen gets the signals of both.
import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { describe, expect, test } from 'vitest';
import { reportActivities } from '../../activities/temporal/runs.js';
import { RECORDS_AWAY } from '../support/records-away.js';
import { createGateway } from '../../api/gateway/create.js';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { anOrder } from '../support/api/builders.js';
import { active, ofAgreement, ofPayment, useDoor } from '../support/api/gateway.js';
import { eventually } from '../support/temporal.js';
import { failure, fetchedAgreement, fetchedPayment, only } from '../support/workflows/provider.js';

const shown = new Map<string, string>();
const provider = only({
  createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
  submitPayment: ({ uid, order }) => Promise.resolve(fetchedPayment(uid, 'created', order)),
  lookUpPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, shown.get(uid) ?? 'failed')),
  watchPayment: () => Promise.reject(failure('nothing_new')),
  reportPayment: (args) => {
    const { client, taskQueue } = temporal;
    return reportActivities({ temporal: client, taskQueue }).reportPayment(args);
  },
});
const { temporal, withDoor } = useDoor(provider);

function aSlowProcess() {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let reached = (): void => undefined;
  const hasRead = new Promise<void>((resolve) => (reached = resolve));
  const { connection, options } = temporal.client;
  const client = new Client({
    ...options,
    connection,
    interceptors: {
      workflow: [
        {
          signalWithStart: async (input, next) => {
            if (input.options.workflowIdReusePolicy === 'ALLOW_DUPLICATE') {
              reached();
              await released;
            }
            return next(input);
          },
        },
      ],
    },
  });
  return {
    door: createGateway(client, temporal.taskQueue, RECORDS_AWAY),
    hasRead,
    release: () => {
      release();
    },
  };
}

describe('payment reopened by two processes', () => {
  test('gets the signal of the slower process in the run started by the other', async () => {
    await withDoor(async (door, connection) => {
      const { uid: agreementUid } = await active(door, connection);
      const uid = `p-${randomUUID()}`;
      await door.payments.request(uid, { ...anOrder(), agreement_uid: agreementUid });
      const view = () => door.payments.view(uid);
      const run = () => temporal.client.workflow.getHandle(paymentWorkflowId(uid)).describe();
      await door.deliver(ofPayment(uid, { type: 'failed' }), undefined);
      await eventually(run, ({ status }) => status.name === 'COMPLETED');

      const slow = aSlowProcess();
      const late = ofPayment(uid, { type: 'under_investigation', publishedAt: '2026-01-01T00:00:00.000Z' });
      const delivered = slow.door.deliver(late, undefined);
      await slow.hasRead;
      shown.set(uid, 'settled');
      await door.deliver(ofPayment(uid, { type: 'settled' }), undefined);
      await eventually(view, (seen) => seen?.state === 'settled' && seen.awaiting.what === 'nothing');
      const { runId } = await run();
      slow.release();
      await delivered;
      expect(await view()).toMatchObject({ state: 'settled' });
      expect((await run()).runId).toBe(runId);
    });
  });
});

test('a payment that settles after the end of its agreement is counted by the agreement', async () => {
  await withDoor(async (door, connection) => {
    const { uid: agreementUid } = await active(door, connection);
    const uid = `p-${randomUUID()}`;
    shown.set(uid, 'pending');
    await door.payments.request(uid, { ...anOrder(), agreement_uid: agreementUid });
    await eventually(
      () => door.payments.view(uid),
      (seen) => seen?.awaiting.what === 'settlement',
    );
    await door.deliver(ofAgreement(agreementUid, { type: 'cancelled' }), undefined);
    await eventually(
      () => temporal.client.workflow.getHandle(agreementWorkflowId(agreementUid)).describe(),
      ({ status }) => status.name === 'COMPLETED',
    );
    await door.deliver(ofPayment(uid, { type: 'settled' }), undefined);
    const agreement = await eventually(
      () => door.agreements.whole(agreementUid),
      (seen) => seen?.payments[0]?.outcome === 'settled',
    );
    expect(agreement).toMatchObject({ state: 'cancelled', payments: [{ uid, outcome: 'settled' }] });
  });
});
