// A sweep finds what differs from the provider, and changes nothing else.
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { offsetOf } from '../../activities/sweep/schedule.js';
import { createLogger } from '../../telemetry/logger.js';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { sweepId, type SweepEnd } from '../../workflows/sweep/contract.js';
import { keepSweeps } from '../../worker/sweeps.js';
import { eventually, eventsOf, useTemporal } from '../support/temporal.js';
import { active, providerOf } from '../support/on-the-road.js';
import { aPayment } from '../support/road.js';
import { FLOAT_ID } from '../support/sandbox/payments.js';
import {
  asked,
  atTheProvider,
  here,
  listed,
  onASweptRoad,
  scheduleStands,
  stateShowing,
  sweepOnce,
  type SweptRoad,
} from '../support/sweeping.js';
import type { ScheduleHandle } from '@temporalio/client';

const temporal = useTemporal();
const EVERY = 6 * 3_600_000;

const runOf = (uid: string) => temporal.client.workflow.getHandle(agreementWorkflowId(uid));
const isListed = (swept: SweptRoad, count: number) =>
  eventually(
    () => listed(swept),
    (seen) => seen === count,
  );
const UNCHANGED = 8;
const FROM_FLOAT = { type: 'float_bank_payment', float_bank_account_id: FLOAT_ID };

test('a sweep updates changed agreements, names missing ones and leaves equal ones untouched', async () => {
  await onASweptRoad(temporal, async (swept) => {
    const { connection, road } = swept;
    const { backend, sandbox } = road;
    const paused = await active(road, connection);
    const ended = await active(road, connection);
    const [unknown = '', theirs = '', ...unchanged] = await atTheProvider(swept, UNCHANGED + 2);
    const missing = `agr-lost-${connection}`;
    await isListed(swept, 2);
    await here(
      swept,
      [missing, ...unchanged].map((uid) => stateShowing(connection, uid, 'active')),
    );
    const other = { ...swept, connection: `${connection}-other` };
    await here(other, [stateShowing(other.connection, theirs, 'suspended')]);
    const untouched = [missing, theirs, ...unchanged];
    const events = () => Promise.all(untouched.map((uid) => eventsOf(runOf(uid))));
    const before = await events();
    sandbox.control.actAsPayer(paused, 'suspend');
    sandbox.control.actAsPayer(ended, 'cancel');

    const { resumed, reports } = await sweepOnce(swept);
    expect(resumed).toBe(0);
    expect(reports.payment).toMatchObject({ pages: 2, listed: 0, missingThere: 0 });
    const report = reports.agreement;
    expect(report).toMatchObject({
      ...{ listed: UNCHANGED + 4, pages: 1, requested: 2, equal: UNCHANGED, differing: 2, missingThere: 1 },
      ...{ unknownHere: 1, elsewhere: 1, adopted: 0 },
      named: { missingThere: [missing], unknownHere: [unknown], elsewhere: [theirs] },
    });
    expect(report.stopped).toBeUndefined();
    expect(report.differences).toContainEqual({ uid: paused, here: 'active', there: 'suspended', times: 1 });
    expect(asked(swept, 'list_agreements')).toBe(1);
    expect(await events()).toEqual(before);
    expect((await backend.agreement(unknown)).status).toBe(404);

    await backend.untilAgreement(paused, ({ state }) => state === 'suspended');
    await runOf(ended).result();
    const { runId } = await runOf(ended).describe();
    await eventually(
      () => sweepOnce(swept),
      ({ reports: { agreement } }) => agreement.equal === UNCHANGED + 1 && agreement.differing === 0,
    );
    expect((await runOf(ended).describe()).runId).toBe(runId);
  });
});

test('a sweep reopens a failed payment that has settled at the provider, and adopts a refund of it', async () => {
  await onASweptRoad(
    temporal,
    async (swept) => {
      const { connection, road } = swept;
      const { backend, sandbox } = road;
      const uid = await active(road, connection);
      const payment = aPayment();
      sandbox.control.scriptPayment(payment.uid, { simulate: 'insufficient_funds' });
      await backend.pay(uid, payment);
      await backend.untilPayment(payment.uid, ({ state }) => state === 'failed');
      await temporal.client.workflow.getHandle(paymentWorkflowId(payment.uid)).result();
      const failed = `ConnectionId = '${connection}' AND PaymentState = 'failed' AND ExecutionStatus = 'Completed'`;
      await eventually(
        () => temporal.client.workflow.count(failed),
        ({ count }) => count === 1,
      );
      const [accessToken = ''] = road.issued;
      sandbox.control.scriptPayment(payment.uid, { simulate: 'auto_settle' });
      await providerOf(road).retryPayment(payment.uid, {}, { accessToken });
      const settled = () => sandbox.control.state().payments.every(({ state }) => state === 'settled');
      await eventually(settled, Boolean);

      const refund = `ref-${randomUUID()}`;
      const accepted = await fetch(`${sandbox.url}/payto/refunds`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${accessToken}`,
          'content-type': 'application/json',
          'zepto-api-version': '20260101',
        },
        body: JSON.stringify({
          uid: refund,
          original_payment_uid: payment.uid,
          refund_payment: { ...FROM_FLOAT, amount: 1, description: 'REFUND it' },
          sandbox: { simulate: 'success', delay: 600 },
        }),
      });
      expect(accepted.status).toBe(201);

      const { reports } = await sweepOnce(swept);
      expect(reports.payment).toMatchObject({ pages: 2, named: { differing: [payment.uid] } });
      expect(reports.refund).toMatchObject({ listed: 1, pages: 1, named: { adopted: [refund] } });
      await backend.untilPayment(payment.uid, ({ state }) => state === 'settled');
      await eventually(
        () => sweepOnce(swept),
        ({ reports: { refund: swept } }) => swept.equal === 1,
      );
    },
    { sweep: { adopts: true } },
  );
});

test('a sweep resumes a blocked agreement of a healthy connection', async () => {
  await onASweptRoad(temporal, async (swept) => {
    const { connection } = swept;
    const uid = `agr-blocked-${connection}`;
    const since = new Date().toISOString();
    const blocked = {
      code: 'needs_reauthorisation',
      since,
      detail: 'No consent.',
      next: 'Consent.',
    } as const;
    await here(swept, [{ ...stateShowing(connection, uid, 'active'), blocked, isLookUpDue: true }]);
    const waiting = `ConnectionId = '${connection}' AND Awaiting = 'reauthorisation'`;
    await eventually(
      () => temporal.client.workflow.count(waiting),
      ({ count }) => count === 1,
    );
    expect(await sweepOnce(swept)).toMatchObject({
      reports: { agreement: { missingThere: 1 } },
      resumed: 1,
    });
    await eventually(
      () => temporal.client.workflow.count(waiting),
      ({ count }) => count === 0,
    );
  });
});

async function triggered(handle: ScheduleHandle): Promise<SweepEnd> {
  const actions = async () => (await handle.describe()).info.recentActions;
  const before = (await actions()).length;
  await handle.trigger('SKIP');
  const [last] = (await eventually(actions, ({ length }) => length > before)).slice(-1);
  const run = temporal.client.workflow.getHandle(last?.action.workflow.workflowId ?? '');
  const report: unknown = await run.result();
  return report as SweepEnd;
}

test('a connection with consent is swept on a schedule, which adopts agreements if configured', async () => {
  const work = async (swept: SweptRoad) => {
    const { connection, road, taskQueue } = swept;
    const stands = () => scheduleStands(swept);
    const handle = temporal.client.schedule.getHandle(sweepId(connection));
    await eventually(stands, Boolean);
    onTestFinished(async () => {
      if (await stands()) await handle.delete();
    });
    const { spec, policies, action, state } = await handle.describe();
    expect(spec.intervals).toEqual([{ every: EVERY, offset: offsetOf(connection, EVERY) }]);
    expect({ policies, action, paused: state.paused }).toMatchObject({
      policies: { overlap: 'SKIP', catchupWindow: EVERY },
      action: { workflowType: 'sweep', taskQueue, args: [{ connectionId: connection }] },
      paused: false,
    });
    const [live = '', gone = ''] = await atTheProvider(swept, 2);
    road.sandbox.control.actAsPayer(gone, 'cancel');
    const { reports } = await triggered(handle);
    expect(reports.agreement).toMatchObject({ adopted: 1, listed: 1, named: { adopted: [live] } });
    await road.backend.untilAgreement(live, ({ adopted, state: known }) => adopted && known === 'active');
    expect((await road.backend.agreement(gone)).status).toBe(404);

    await handle.delete();
    const consented = `ConnectionStatus = 'healthy' AND WorkflowId = 'connection/${connection}'`;
    await eventually(
      () => temporal.client.workflow.count(consented),
      ({ count }) => count === 1,
    );
    await keepSweeps({
      temporal: temporal.client,
      taskQueue,
      plans: [{ does: 'sweep', everyMs: EVERY }],
      signal: new AbortController().signal,
      log: createLogger('worker', { write: () => undefined }),
    });
    expect(await stands()).toBe(true);
  };
  await onASweptRoad(temporal, work, { sweep: { everyMs: EVERY, adopts: true } });
});
