// Webhooks are sent in order, signed, retried and redelivered as documented, and a webhook fault changes only what its rule names.
import { createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { SandboxConfig } from '../../../sandbox/config.js';
import { createEngine } from '../../../sandbox/engine/parts.js';
import { createOpenCalls } from '../../../sandbox/http/open-calls.js';
import { sydneyTimestamp } from '../../../sandbox/time/sydney.js';
import { publish } from '../../../sandbox/webhooks/events.js';
import type { Caller } from '../../support/sandbox/caller.js';
import { startReceiver, type Received } from '../../support/sandbox/receiver.js';
import { anIncomingCredit, aPayment } from '../../support/sandbox/requests.js';
import { standStill } from '../../support/sandbox/wall-clock.js';
import { anActiveAgreement, anIgnoredAgreement, aWorld, type World } from '../../support/sandbox/world.js';

const MINUTES = 60;
const SECRET = 'sandbox-webhook-secret';
const REQUEST_ID = 'service-request-id';

/** Whether the signature of a webhook is right and from now. */
function isSigned({ headers, raw }: Received): boolean {
  const [seconds = '', digest] = String(headers['service-signature']).split('.');
  const right = createHmac('sha256', SECRET).update(`${seconds}.${raw}`).digest('hex');
  return digest === right && Number(seconds) === Math.floor(Date.now() / 1000);
}

const webhookLines = ({ control }: World) => control.ledger(0, { kind: 'webhook' });
const deliveriesOf = async (caller: Caller) =>
  (await caller.get(`/webhooks/${(await caller.get('/webhooks')).list[0]?.id}/deliveries`)).list;
const redeliver = (caller: Caller, id = '', headers = {}) =>
  caller.post(`/webhook_deliveries/${id}/redeliver`, '', headers);

describe('webhook delivery', () => {
  test.each([
    ['2026-10-03T15:59:59.123Z', '2026-10-04T01:59:59.123+10:00'],
    ['2026-10-03T16:00:00.000Z', '2026-10-04T03:00:00.000+11:00'],
  ])('%s is %s in Sydney', (utc, sydney) => {
    expect(sydneyTimestamp(Date.parse(utc))).toBe(sydney);
  });

  test.each([200, 302, 404, 500])('a %i ends the delivery', async (status) => {
    const world = await aWorld();
    world.receiver.answerWith(status);
    await anActiveAgreement(world);
    await world.control.advance(61 * MINUTES);
    expect(world.receiver.received).toHaveLength(1);
    expect(webhookLines(world)).toMatchObject([{ attempt: 1, status }]);
    expect(world.control.state().webhook).toMatchObject({ queued: 0, deliveries: 1 });
  });

  test('an unanswered delivery is retried every five minutes for an hour', async () => {
    const world = await aWorld();
    world.receiver.answerWith('silence');
    await anActiveAgreement(world);
    await world.control.advance(5 * MINUTES - 10);
    expect(world.receiver.received).toHaveLength(1);
    await world.control.advance(10);
    const [first, second] = world.receiver.received;
    expect([second?.raw, second?.headers[REQUEST_ID]]).toEqual([first?.raw, first?.headers[REQUEST_ID]]);
    await world.control.advance(24 * 60 * MINUTES);
    expect(world.receiver.received).toHaveLength(13);
    const times = webhookLines(world).map(({ at }) => Date.parse(at));
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBe(60 * MINUTES * 1000);
    expect(world.control.state().webhook.queued).toBe(0);
  });

  test('is pending while delayed, retrying after silence and failed after an hour', async () => {
    const world = await aWorld();
    const state = async () => (await deliveriesOf(await world.newCaller())).map((row) => row.state);
    world.control.addFault({ on: 'webhook', do: 'delay', delay_seconds: 100, times: 1 });
    await anActiveAgreement(world);
    expect(await state()).toEqual(['pending']);
    world.receiver.answerWith('silence');
    await world.control.advance(100);
    expect(await state()).toEqual(['retrying']);
    await world.control.advance(3600);
    expect(await state()).toEqual(['failed']);
  });

  test('an unreachable receiver blocks nothing', async () => {
    const world = await aWorld();
    world.control.setWebhookUrl('http://127.0.0.1:1/');
    const uid = await anActiveAgreement(world);
    expect((await world.caller.get(`/payto/agreements/${uid}`)).data.state).toBe('active');
    expect(webhookLines(world)).toMatchObject([{ status: null }]);
  });

  test('webhooks of one agreement are sent in order', async () => {
    const world = await aWorld();
    const uid = await anIgnoredAgreement(world);
    const actions = ['accept', 'suspend', 'reactivate', 'suspend', 'cancel'] as const;
    for (const action of actions) world.control.actAsPayer(uid, action);
    await world.control.flushWebhooks();
    const names = ['activated', 'suspended', 'reactivated', 'suspended', 'cancelled'];
    expect(world.receiver.types()).toEqual(names.map((name) => `payto_agreement.${name}`));
  });

  test('a webhook waits for the answer to its API call, but not for calls that start later', async () => {
    const calls = createOpenCalls();
    const end = calls.begin();
    let isAnswered = false;
    const answered = calls.answered().then(() => (isAnswered = true));
    calls.begin();
    await Promise.resolve();
    expect(isAnswered).toBe(false);
    end();
    await answered;
  });

  test('a webhook of another sandbox does not wait', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const settings = { ...SandboxConfig.parse({ webhookUrl: receiver.url }), baseUrl: 'http://sandbox' };
    const [engine, other] = [createEngine(settings), createEngine(settings)];
    const anEvent = (type: string) => ({
      ...{ type, resource_uid: type, lane: type, body: null, metadata: null },
      resource_type: 'payto_agreement' as const,
    });
    const answer = engine.openCalls.begin();
    publish(engine, anEvent('during the call'));
    publish(other, anEvent('elsewhere'));
    await other.webhooks.idle();
    expect(receiver.types()).toEqual(['elsewhere']);
    answer();
    await engine.webhooks.idle();
    expect(receiver.types()).toEqual(['elsewhere', 'during the call']);
  });
});

describe('webhook redelivery', () => {
  test.each(['failed', 'lost', 'refused', 'badly signed'])(
    'of a %s delivery sends the same event and request id with a new signature',
    async (how) => {
      standStill();
      const world = await aWorld();
      if (how === 'lost') world.control.addFault({ on: 'webhook', do: 'lose', times: 1 });
      if (how === 'badly signed') world.control.addFault({ on: 'webhook', do: 'stale_timestamp', times: 1 });
      if (how === 'refused') world.receiver.answerWith(500);
      if (how === 'failed') world.receiver.answerWith('silence');
      await anActiveAgreement(world);
      await world.control.advance(2 * 3600);
      const caller = await world.newCaller();
      const [row] = await deliveriesOf(caller);
      world.receiver.answerWith(200);
      const sent = world.receiver.received.length;
      const { status, data } = await redeliver(caller, row?.id, { 'content-type': 'text/plain' });
      const webhook_id = (await caller.get('/webhooks')).list[0]?.id;
      expect([status, data]).toEqual([202, { id: row?.id, webhook_id, state: 'pending' }]);
      await world.control.flushWebhooks();
      expect(world.receiver.received).toHaveLength(sent + 1);
      const [first, last] = [world.receiver.received[0], world.receiver.received.at(-1)];
      expect([last?.raw, last?.headers[REQUEST_ID]]).toEqual([first?.raw, first?.headers[REQUEST_ID]]);
      expect(last && isSigned(last)).toBe(true);
      const completed = { id: row?.id, state: 'completed', response_status_code: 200 };
      expect(await deliveriesOf(caller)).toMatchObject([completed]);
    },
  );

  test('is retried for an hour if unanswered', async () => {
    const world = await aWorld();
    await anActiveAgreement(world);
    const [row] = await deliveriesOf(world.caller);
    await world.control.advance(3600);
    world.receiver.answerWith('silence');
    await redeliver(world.caller, row?.id);
    await world.control.advance(2 * 3600);
    expect(world.receiver.received).toHaveLength(1 + 13);
  });

  test('of a delivery in progress changes nothing', async () => {
    const world = await aWorld();
    world.control.addFault({ on: 'webhook', do: 'delay', delay_seconds: 600, times: 1 });
    await anActiveAgreement(world);
    const [row] = await deliveriesOf(world.caller);
    expect((await redeliver(world.caller, row?.id)).status).toBe(202);
    await world.control.advance(1);
    expect(world.receiver.received).toEqual([]);
    await world.control.advance(700);
    expect(world.receiver.received).toHaveLength(1);
  });
});

describe('webhook fault', () => {
  test('delay does not delay a later event, and a flush sends the delayed one once', async () => {
    const world = await aWorld();
    world.control.addFault({ on: 'webhook', do: 'delay', delay_seconds: 600, times: 1 });
    const uid = await anActiveAgreement(world);
    world.control.actAsPayer(uid, 'suspend');
    await world.control.advance(1);
    expect(world.receiver.types()).toEqual(['payto_agreement.suspended']);
    await world.control.flushWebhooks();
    await world.control.advance(700);
    expect(world.receiver.types().slice(1)).toEqual(['payto_agreement.activated']);
  });

  test('of an agreement also affects its payments', async () => {
    const world = await aWorld();
    const uid = await anActiveAgreement(world);
    world.control.addFault({ on: 'webhook', do: 'lose', resource_uid: uid });
    await world.caller.post('/payto/payments', aPayment(uid));
    await world.control.advance(1);
    expect(world.receiver.types()).toEqual(['payto_agreement.activated']);
  });

  test('forge does not change state, history or deliveries', async () => {
    const world = await aWorld();
    world.control.addFault({ on: 'webhook', do: 'forge' });
    const uid = await anActiveAgreement(world);
    expect((await world.caller.get(`/payto/agreements/${uid}`)).data.state).toBe('active');
    expect((await world.caller.get(`/payto/agreements/${uid}/history`)).list).toHaveLength(1);
    expect(await deliveriesOf(world.caller)).toHaveLength(1);
    expect(world.control.state().webhook.deliveries).toBe(1);
  });

  test.each([
    ['settled', 'auto_settle', 'failed'],
    ['failed', 'insufficient_funds', 'settled'],
  ])('forge of a %s payment claims the opposite', async (_, simulate, claimed) => {
    const world = await aWorld();
    const uid = await anActiveAgreement(world);
    world.control.addFault({ on: 'webhook', do: 'forge' });
    await world.caller.post('/payto/payments', aPayment(uid, { sandbox: { simulate } }));
    await world.control.advance(1);
    expect(world.receiver.types().at(-1)).toBe(`payto_payment.${claimed}`);
  });
});

describe('webhook batch', () => {
  const Batch = z.object({
    data: z.array(z.object({ id: z.string(), type: z.string() })),
    links: z.object({ resource: z.string() }),
  });
  const act = ({ control }: World, uid: string, ...actions: ('accept' | 'suspend' | 'cancel')[]) => {
    for (const action of actions) control.actAsPayer(uid, action);
  };

  test('sends several events in one body, each with its own ledger entry', async () => {
    standStill();
    const world = await aWorld();
    const uid = await anIgnoredAgreement(world);
    world.control.addFault({ on: 'webhook', do: 'batch', size: 2, times: 1 });
    act(world, uid, 'accept', 'suspend', 'cancel');
    await world.control.flushWebhooks();
    const [several, one] = world.receiver.received;
    const { data, links } = Batch.parse(several?.json);
    const types = ['payto_agreement.activated', 'payto_agreement.suspended'];
    expect(data.map(({ type }) => type)).toEqual(types);
    expect(links.resource).toBe(`${world.url}/payto/agreements/${uid}`);
    expect(several && isSigned(several)).toBe(true);
    expect(one?.envelope.data.type).toBe('payto_agreement.cancelled');
    const lines = webhookLines(world);
    const ids = lines.map((line) => 'event_id' in line && line.event_id);
    expect(ids.slice(0, 2)).toEqual(data.map(({ id }) => id));
    expect(new Set(lines.map((line) => 'delivery_id' in line && line.delivery_id)).size).toBe(2);
  });

  test('is sent after its delay if too few events follow', async () => {
    const world = await aWorld();
    const uid = await anIgnoredAgreement(world);
    world.control.addFault({ on: 'webhook', do: 'batch', size: 5, delay_seconds: 60, times: 1 });
    act(world, uid, 'accept', 'suspend');
    await world.control.advance(59);
    expect(world.receiver.received).toEqual([]);
    await world.control.advance(1);
    expect(Batch.parse(world.receiver.received[0]?.json).data).toHaveLength(2);
    act(world, uid, 'cancel');
    await world.control.advance(1);
    expect(world.receiver.received).toHaveLength(2);
  });

  test('includes payments of the agreement, and a single event is sent unbatched', async () => {
    const world = await aWorld();
    const uid = await anActiveAgreement(world);
    world.control.addFault({ on: 'webhook', do: 'batch', times: 2 });
    await world.caller.post('/payto/payments', aPayment(uid));
    await world.control.advance(1);
    act(world, uid, 'suspend');
    await world.control.flushWebhooks();
    const { data } = Batch.parse(world.receiver.received[1]?.json);
    expect(data.map(({ type }) => type)).toEqual(['payto_payment.settled', 'payto_agreement.suspended']);
    act(world, uid, 'cancel');
    await world.control.flushWebhooks();
    expect(world.receiver.received[2]?.envelope.data.type).toBe('payto_agreement.cancelled');
  });

  test('never contains an unmatched credit, whose fault uses its own envelope', async () => {
    const world = await aWorld();
    for (const action of ['batch', 'unknown_type'] as const) {
      world.control.addFault({ on: 'webhook', do: action, times: 1 });
      await world.caller.post('/simulate/incoming_npp_bban_payment', anIncomingCredit());
      await world.control.flushWebhooks();
    }
    const types = ['received', 'received', 'levitated'];
    expect(world.receiver.types()).toEqual(types.map((type) => `float_accounts.unmatched_credit.${type}`));
    const Credit = z.object({ data: z.object({ id: z.string() }) });
    const ids = world.receiver.received.map(({ json }) => Credit.parse(json).data.id);
    expect(new Set(ids).size).toBe(3);
  });
});
