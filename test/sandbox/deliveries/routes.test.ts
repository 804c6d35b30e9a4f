import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { standStill } from '../../support/sandbox/wall-clock.js';
import type { Caller } from '../../support/sandbox/caller.js';
import { anActiveAgreement, aWorld } from '../../support/sandbox/world.js';
const webhookPath = async (caller: Caller) => `/webhooks/${(await caller.get('/webhooks')).list[0]?.id}`;
const deliveriesPath = async (caller: Caller) => `${await webhookPath(caller)}/deliveries`;
const deliveriesOf = async (caller: Caller, query = '') =>
  (await caller.get(`${await deliveriesPath(caller)}${query}`)).list;

describe('delivery state', () => {
  test('is pending while held, retrying after silence and failed after an hour', async () => {
    const world = await aWorld();
    const state = async () => {
      const [row] = await deliveriesOf(await world.newCaller());
      return [row?.state, row?.['response_status_code']];
    };
    world.control.addFault({ on: 'webhook', do: 'delay', delay_seconds: 100, times: 1 });
    await anActiveAgreement(world);
    expect(await state()).toEqual(['pending', null]);
    world.receiver.answerWith('silence');
    await world.control.advance(100);
    expect(await state()).toEqual(['retrying', null]);
    await world.control.advance(3600);
    expect(await state()).toEqual(['failed', null]);
  });
});

describe('webhook redelivery', () => {
  test.each(['failed', 'lost', 'refused'])(
    'of a %s delivery sends the same event and request id with a new signature',
    async (how) => {
      standStill();
      const world = await aWorld();
      if (how === 'lost') world.control.addFault({ on: 'webhook', do: 'lose', times: 1 });
      world.receiver.answerWith(how === 'refused' ? 500 : 'silence');
      await anActiveAgreement(world);
      await world.control.advance(2 * 3600);
      const caller = await world.newCaller();
      const [row] = await deliveriesOf(caller);
      world.receiver.answerWith(200);
      const sent = world.receiver.received.length;
      const answer = await caller.post(`/webhook_deliveries/${row?.id}/redeliver`, '', {
        'content-type': 'text/plain',
      });
      const webhook_id = (await caller.get('/webhooks')).list[0]?.id;
      expect([answer.status, answer.data]).toEqual([202, { id: row?.id, webhook_id, state: 'pending' }]);
      await world.control.flushWebhooks();
      expect(world.receiver.received).toHaveLength(sent + 1);
      const [first, last] = [world.receiver.received[0], world.receiver.received.at(-1)];
      expect([last?.raw, last?.headers['service-request-id']]).toEqual([
        first?.raw,
        first?.headers['service-request-id'],
      ]);
      const [seconds = '', digest] = String(last?.headers['service-signature']).split('.');
      const good = createHmac('sha256', 'sandbox-webhook-secret')
        .update(`${seconds}.${last?.raw}`)
        .digest('hex');
      expect(digest).toBe(good);
      expect(Number(seconds)).toBe(Math.floor(Date.now() / 1000));
      expect(await deliveriesOf(caller)).toMatchObject([
        { id: row?.id, state: 'completed', response_status_code: 200 },
      ]);
    },
  );

  test('is retried for an hour if unanswered', async () => {
    const world = await aWorld();
    await anActiveAgreement(world);
    const [row] = await deliveriesOf(world.caller);
    await world.control.advance(3600);
    world.receiver.answerWith('silence');
    await world.caller.post(`/webhook_deliveries/${row?.id}/redeliver`, {});
    await world.control.advance(2 * 3600);
    expect(world.receiver.received).toHaveLength(1 + 13);
  });

  test('of a delivery in progress changes nothing', async () => {
    const world = await aWorld();
    world.control.addFault({ on: 'webhook', do: 'delay', delay_seconds: 600, times: 1 });
    await anActiveAgreement(world);
    const [row] = await deliveriesOf(world.caller);
    expect((await world.caller.post(`/webhook_deliveries/${row?.id}/redeliver`, {})).status).toBe(202);
    await world.control.advance(1);
    expect(world.receiver.received).toEqual([]);
    await world.control.advance(700);
    expect(world.receiver.received).toHaveLength(1);
  });

  test('of a badly signed delivery has a valid signature', async () => {
    standStill();
    const world = await aWorld();
    world.control.addFault({ on: 'webhook', do: 'stale_timestamp', times: 1 });
    await anActiveAgreement(world);
    const [row] = await deliveriesOf(world.caller);
    await world.caller.post(`/webhook_deliveries/${row?.id}/redeliver`, {});
    await world.control.flushWebhooks();
    const seconds = Number(String(world.receiver.received[1]?.headers['service-signature']).split('.')[0]);
    expect(seconds).toBe(Math.floor(Date.now() / 1000));
  });
});
