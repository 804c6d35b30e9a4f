import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { consent, callerWith } from '../../support/sandbox/caller.js';
import type { Received } from '../../support/sandbox/receiver.js';
import { aPayment } from '../../support/sandbox/requests.js';
import { anActiveAgreement, anIgnoredAgreement, aWorld, type World } from '../../support/sandbox/world.js';

const SECRET = 'sandbox-webhook-secret';
const Batch = z.object({
  data: z.array(z.object({ id: z.string(), type: z.string(), resource_uid: z.string() })),
  links: z.object({ resource: z.string() }),
});

function signature({ headers, raw }: Received) {
  const [seconds = '', digest] = String(headers['service-signature']).split('.');
  const good = createHmac('sha256', SECRET).update(`${seconds}.${raw}`).digest('hex');
  return { isGood: digest === good, ageSeconds: Date.now() / 1000 - Number(seconds) };
}

const webhookLines = ({ control }: World) => control.ledger(0, { kind: 'webhook' });

describe('forged webhook', () => {
  test('does not change state, history or deliveries', async () => {
    const world = await aWorld();
    world.control.addFault({ on: 'webhook', do: 'forge' });
    const uid = await anActiveAgreement(world);
    expect((await world.caller.get(`/payto/agreements/${uid}`)).data.state).toBe('active');
    expect((await world.caller.get(`/payto/agreements/${uid}/history`)).list).toHaveLength(1);
    const [webhook] = (await world.caller.get('/webhooks')).list;
    expect((await world.caller.get(`/webhooks/${webhook?.id}/deliveries`)).list).toHaveLength(1);
    expect(world.control.state().webhook.deliveries).toBe(1);
  });

  test.each([
    ['settled', 'auto_settle', 'failed'],
    ['failed', 'insufficient_funds', 'settled'],
  ])('of a %s payment claims the opposite', async (_, simulate, claimed) => {
    const world = await aWorld();
    const uid = await anActiveAgreement(world);
    world.control.addFault({ on: 'webhook', do: 'forge' });
    await world.caller.post('/payto/payments', aPayment(uid, { sandbox: { simulate } }));
    await world.control.advance(1);
    expect(world.receiver.types().at(-1)).toBe(`payto_payment.${claimed}`);
  });
});

describe('webhook batch', () => {
  test('sends several events in one body, each with its own ledger entry', async () => {
    const world = await aWorld();
    const uid = await anIgnoredAgreement(world);
    world.control.addFault({ on: 'webhook', do: 'batch', size: 3, times: 1 });
    for (const action of ['accept', 'suspend', 'reactivate', 'cancel'] as const) {
      world.control.actAsPayer(uid, action);
    }
    await world.control.advance(1);
    const [several, one] = world.receiver.received;
    const { data, links } = Batch.parse(several?.json);
    expect(data.map(({ type }) => type.replace('payto_agreement.', ''))).toEqual([
      'activated',
      'suspended',
      'reactivated',
    ]);
    expect(links.resource).toBe(`${world.url}/payto/agreements/${uid}`);
    expect(several && signature(several).isGood).toBe(true);
    expect(one?.envelope.data.type).toBe('payto_agreement.cancelled');
    const lines = webhookLines(world);
    expect(lines.map((line) => 'event_id' in line && line.event_id).slice(0, 3)).toEqual(
      data.map(({ id }) => id),
    );
    expect(new Set(lines.map((line) => 'delivery_id' in line && line.delivery_id)).size).toBe(2);
  });

  test('is sent after its delay if too few events follow', async () => {
    const world = await aWorld();
    const uid = await anIgnoredAgreement(world);
    world.control.addFault({ on: 'webhook', do: 'batch', size: 5, delay_seconds: 60, times: 1 });
    for (const action of ['accept', 'suspend'] as const) world.control.actAsPayer(uid, action);
    await world.control.advance(59);
    expect(world.receiver.received).toEqual([]);
    await world.control.advance(1);
    expect(Batch.parse(world.receiver.received[0]?.json).data).toHaveLength(2);
    world.control.actAsPayer(uid, 'cancel');
    await world.control.advance(1);
    expect(world.receiver.received).toHaveLength(2);
  });

  test('sends a single event unbatched and includes payments of the agreement', async () => {
    const world = await aWorld();
    const uid = await anActiveAgreement(world);
    world.control.addFault({ on: 'webhook', do: 'batch', times: 2 });
    await world.caller.post('/payto/payments', aPayment(uid));
    await world.control.advance(1);
    world.control.actAsPayer(uid, 'suspend');
    await world.control.flushWebhooks();
    const { data } = Batch.parse(world.receiver.received[1]?.json);
    expect(data.map(({ type }) => type)).toEqual(['payto_payment.settled', 'payto_agreement.suspended']);
    world.control.actAsPayer(uid, 'cancel');
    await world.control.flushWebhooks();
    expect(world.receiver.received[2]?.envelope.data.type).toBe('payto_agreement.cancelled');
  });
});

test('an unmatched credit is faulted in its own envelope and never batched', async () => {
  const world = await aWorld();
  const caller = callerWith(world.url, (await consent(world.url)).access);
  const credit = { to_bsb: '200002', to_account_number: '55550001', amount: 700 };
  const pay = async () => {
    expect((await caller.post('/simulate/incoming_npp_bban_payment', credit)).status).toBe(201);
    await world.control.flushWebhooks();
  };
  world.control.addFault({ on: 'webhook', do: 'batch', times: 1 });
  await pay();
  world.control.addFault({ on: 'webhook', do: 'unknown_type', times: 1 });
  await pay();
  expect(world.receiver.types()).toEqual([
    'float_accounts.unmatched_credit.received',
    'float_accounts.unmatched_credit.received',
    'float_accounts.unmatched_credit.levitated',
  ]);
  const ids = world.receiver.received.map(({ json }) =>
    z.object({ data: z.object({ id: z.string() }) }).parse(json),
  );
  expect(new Set(ids.map(({ data }) => data.id)).size).toBe(3);
});
