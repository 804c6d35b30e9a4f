import { expect, onTestFinished, test, describe } from 'vitest';
import { SandboxConfig } from '../../../sandbox/config.js';
import { createEngine } from '../../../sandbox/engine/parts.js';
import { createOpenCalls } from '../../../sandbox/http/open-calls.js';
import { sydneyTimestamp } from '../../../sandbox/time/sydney.js';
import { publish } from '../../../sandbox/webhooks/events.js';
import { startReceiver } from '../../support/sandbox/receiver.js';
import { anActiveAgreement, anIgnoredAgreement, aWorld } from '../../support/sandbox/world.js';

describe('webhook delivery', () => {
  const MINUTES = 60;

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
    expect(world.control.ledger().at(-1)).toMatchObject({ kind: 'webhook', attempt: 1, status });
    expect(world.control.state().webhook).toMatchObject({ queued: 0, deliveries: 1 });
  });

  test('an unanswered delivery is retried every five minutes for an hour', async () => {
    const world = await aWorld();
    world.receiver.answerWith('silence');
    await anActiveAgreement(world);
    await world.control.advance(5 * MINUTES - 10);
    expect(world.receiver.received).toHaveLength(1);
    await world.control.advance(10);
    expect(world.receiver.received).toHaveLength(2);
    await world.control.advance(24 * 60 * MINUTES);
    expect(world.receiver.received).toHaveLength(13);
    const attempts = world.control.ledger().filter(({ kind }) => kind === 'webhook');
    const times = attempts.map(({ at }) => Date.parse(at));
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBe(60 * MINUTES * 1000);
    expect(world.control.state().webhook.queued).toBe(0);
  });

  test('a retry has the same body and request id and a valid signature', async () => {
    const world = await aWorld();
    world.receiver.answerWith('silence');
    await anActiveAgreement(world);
    world.receiver.answerWith(200);
    await world.control.advance(5 * MINUTES);
    await world.control.advance(60 * MINUTES);
    expect(world.receiver.received).toHaveLength(2);
    const [first, second] = world.receiver.received;
    expect(second?.raw).toBe(first?.raw);
    expect(second?.headers['service-request-id']).toBe(first?.headers['service-request-id']);
  });

  test('a webhook waits for the answer to its API call', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const engine = createEngine({
      ...SandboxConfig.parse({ webhookUrl: receiver.url }),
      baseUrl: 'http://sandbox',
    });
    const anEvent = (type: string) => ({
      type,
      resource_type: 'payto_agreement' as const,
      resource_uid: type,
      lane: type,
      body: null,
      metadata: null,
    });
    const answer = engine.openCalls.begin();
    publish(engine, anEvent('during the call'));
    const other = createEngine(engine.settings);
    publish(other, anEvent('elsewhere'));
    await other.webhooks.idle();
    expect(receiver.types()).toEqual(['elsewhere']);
    answer();
    await engine.webhooks.idle();
    expect(receiver.types()).toEqual(['elsewhere', 'during the call']);
  });

  test('an unreachable receiver blocks nothing', async () => {
    const world = await aWorld();
    world.control.setWebhookUrl('http://127.0.0.1:1/');
    const uid = await anActiveAgreement(world);
    expect((await world.caller.get(`/payto/agreements/${uid}`)).data.state).toBe('active');
    expect(world.control.ledger().at(-2)).toMatchObject({ kind: 'webhook', status: null });
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
});

describe('open API calls', () => {
  test('delay webhooks, but calls that start later do not', async () => {
    const calls = createOpenCalls();
    const end = calls.begin();
    const seen: string[] = [];
    const answered = calls.answered().then(() => seen.push('answered'));
    calls.begin();
    await Promise.resolve();
    expect(seen).toEqual([]);
    end();
    await answered;
    expect(seen).toEqual(['answered']);
  });
});
