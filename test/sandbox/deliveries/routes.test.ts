// What an integrator can find out of its webhook and the deliveries to it, and have sent again.
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { standStill } from '../../support/sandbox/wall-clock.js';
import { consent, callerWith, type Caller } from '../../support/sandbox/caller.js';
import { aPayment } from '../../support/sandbox/requests.js';
import { anActiveAgreement, anIgnoredAgreement, aWorld, type World } from '../../support/sandbox/world.js';

const DAY = 24 * 60 * 60;
const webhookPath = async (caller: Caller) => `/webhooks/${(await caller.get('/webhooks')).list[0]?.id}`;
const deliveriesPath = async (caller: Caller) => `${await webhookPath(caller)}/deliveries`;
const deliveriesOf = async (caller: Caller, query = '') =>
  (await caller.get(`${await deliveriesPath(caller)}${query}`)).list;

test('there is one webhook, with its target, its secret and what it is sent', async () => {
  const { caller, receiver } = await aWorld();
  const { list, headers } = await caller.get('/webhooks');
  expect(list).toHaveLength(1);
  expect(list[0]).toMatchObject({ url: receiver.url, signature_secret: 'sandbox-webhook-secret' });
  expect(list[0]?.['events']).toEqual(
    expect.arrayContaining([
      'payto_agreement.activated',
      'payto_payment.under_investigation',
      'float_accounts.unmatched_credit.received',
    ]),
  );
  expect([headers.get('per-page'), headers.get('link')]).toEqual(['25', null]);
  expect((await caller.get('/webhooks?page=2')).list).toEqual([]);
});

test.each([
  ['/webhooks?per_page=0', 400],
  ['/webhooks?per_page=101', 400],
  ['/webhooks?page=x', 400],
  ['/webhooks?starting_after=x', 400],
  ['/webhooks/none/deliveries', 404],
  ['/webhook_deliveries/none', 404],
])('GET %s is %i', async (path, status) => {
  const { caller } = await aWorld();
  expect((await caller.get(path)).status).toBe(status);
});

test('a delivery is shown as documented, in the list and by itself', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world);
  const [row] = await deliveriesOf(world.caller);
  expect(row).toEqual({
    id: row?.id,
    event_type: 'payto_agreement.activated',
    state: 'completed',
    response_status_code: 200,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/) as string,
    payload_data_summary: [{ ref: uid }],
  });
  const { data } = await world.caller.get(`/webhook_deliveries/${row?.id}`);
  const webhook = (await world.caller.get('/webhooks')).list[0]?.id;
  const payload: unknown = JSON.parse(world.receiver.received[0]?.raw ?? '');
  expect(data).toEqual({ ...row, webhook_id: webhook, payload });
});

describe('states', () => {
  test('pending while it is held, retrying after silence, failed after an hour of it', async () => {
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

  test('what got lost has failed without an answer', async () => {
    const world = await aWorld();
    world.control.addFault({ on: 'webhook', do: 'lose' });
    await anActiveAgreement(world);
    expect(await deliveriesOf(world.caller, '?response_status_code=null')).toMatchObject([
      { state: 'failed', response_status_code: null },
    ]);
  });
});

describe('filters', () => {
  async function aMixture() {
    const world = await aWorld();
    for (const status of [200, 204, 404, 500, 503, 'silence'] as const) {
      world.receiver.answerWith(status);
      await anActiveAgreement(world, { debtor: aDebtor() });
    }
    return world;
  }
  let debtors = 1000;
  const aDebtor = () => {
    debtors += 1;
    return { party_name: 'P', account_identifier: { type: 'bban', value: `200001-99${debtors}` } };
  };
  const codes = async ({ caller }: World, filter: string) =>
    (await deliveriesOf(caller, `?response_status_code=${filter}`)).map((row) => row['response_status_code']);

  test('by response status: codes, ranges and null, in any mixture, newest first', async () => {
    const world = await aMixture();
    expect(await codes(world, '200')).toEqual([200]);
    expect(await codes(world, '500-599')).toEqual([503, 500]);
    expect(await codes(world, 'null')).toEqual([null]);
    expect(await codes(world, '200-299,404,null')).toEqual([null, 404, 204, 200]);
    expect(await codes(world, '600-999')).toEqual([]);
  });

  test.each(['', '20', '2xx', '200-', '-200', '599-500', '200,,404', 'NULL', '200 ', '200-299-399'])(
    'response_status_code=%s is 422 and named',
    async (filter) => {
      const { caller } = await aWorld();
      const path = `${await deliveriesPath(caller)}?response_status_code=${encodeURIComponent(filter)}`;
      const { status, errors } = await caller.get(path);
      expect(status).toBe(422);
      expect(errors[0]?.detail).toContain('response_status_code');
    },
  );

  test('by type, state, reference and time', async () => {
    const world = await aWorld();
    const uid = await anActiveAgreement(world);
    const between = new Date(Date.parse(world.control.state().now) + 1000).toISOString();
    await world.control.advance(60);
    const payment = aPayment(uid);
    await world.caller.post('/payto/payments', payment);
    await world.control.advance(1);
    const types = async (query: string) =>
      (await deliveriesOf(world.caller, query)).map((row) => row['event_type']);
    const [settled, activated] = ['payto_payment.settled', 'payto_agreement.activated'];
    expect(await types('')).toEqual([settled, activated]);
    expect(await types(`?event_type=${settled}`)).toEqual([settled]);
    expect(await types('?state=completed')).toEqual([settled, activated]);
    expect(await types('?state=failed')).toEqual([]);
    expect(await types(`?ref=${uid}`)).toEqual([activated]);
    expect(await types(`?ref=${payment.uid}`)).toEqual([settled]);
    expect(await types(`?since=${between}`)).toEqual([settled]);
  });

  test.each([
    ['?since=yesterday', 422],
    ['?state=lost', 422],
    ['?per_page=1000', 400],
    ['?starting_after=none', 400],
    ['?surprise=1', 400],
  ])('%s is %i', async (query, status) => {
    const { caller } = await aWorld();
    expect((await caller.get(`${await deliveriesPath(caller)}${query}`)).status).toBe(status);
  });
});

test('pages follow the Link header to the end, filters kept', async () => {
  const world = await aWorld();
  const uid = await anIgnoredAgreement(world);
  const actions = ['accept', 'suspend', 'reactivate', 'suspend', 'reactivate'] as const;
  for (const action of actions) world.control.actAsPayer(uid, action);
  await world.control.flushWebhooks();
  const seen: unknown[] = [];
  let path: string | undefined = `${await deliveriesPath(world.caller)}?per_page=2&ref=${uid}`;
  let pages = 0;
  while (path !== undefined) {
    const { list, headers } = await world.caller.get(path);
    expect(headers.get('per-page')).toBe('2');
    seen.push(...list.map((row) => row['event_type']));
    pages += 1;
    path = /^<http:\/\/[^/]+(\/[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
  }
  expect(pages).toBe(3);
  const names = ['reactivated', 'suspended', 'reactivated', 'suspended', 'activated'];
  expect(seen).toEqual(names.map((name) => `payto_agreement.${name}`));
});

test('deliveries are kept for seven days on the clock of the sandbox', async () => {
  const world = await aWorld();
  await anActiveAgreement(world);
  const [row] = await deliveriesOf(world.caller);
  await world.control.advance(7 * DAY - 60);
  expect(await deliveriesOf(await world.newCaller())).toHaveLength(1);
  await world.control.advance(61);
  const caller = await world.newCaller();
  expect(await deliveriesOf(caller)).toEqual([]);
  expect((await caller.get(`/webhook_deliveries/${row?.id}`)).status).toBe(404);
  expect((await caller.post(`/webhook_deliveries/${row?.id}/redeliver`, {})).status).toBe(404);
  await anActiveAgreement({ ...world, caller });
  expect(world.control.state().webhook.deliveries).toBe(1);
});

describe('redelivery', () => {
  test.each(['failed', 'lost', 'refused'])(
    'of one that was %s: the same event and request id, signed anew',
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

  test('unanswered, it is tried again for an hour like a new one', async () => {
    const world = await aWorld();
    await anActiveAgreement(world);
    const [row] = await deliveriesOf(world.caller);
    await world.control.advance(3600);
    world.receiver.answerWith('silence');
    await world.caller.post(`/webhook_deliveries/${row?.id}/redeliver`, {});
    await world.control.advance(2 * 3600);
    expect(world.receiver.received).toHaveLength(1 + 13);
  });

  test('of what is on its way already changes nothing', async () => {
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

  test('of one that was badly signed is signed well', async () => {
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

  test('takes no body but an empty object', async () => {
    const world = await aWorld();
    await anActiveAgreement(world);
    const [row] = await deliveriesOf(world.caller);
    expect((await world.caller.post(`/webhook_deliveries/${row?.id}/redeliver`, { now: true })).status).toBe(
      400,
    );
  });
});

test('all of it needs the scope webhooks', async () => {
  const { url } = await aWorld();
  const caller = callerWith(url, (await consent(url, 'pay_to_agreements')).access);
  for (const path of ['/webhooks', '/webhooks/x/deliveries', '/webhook_deliveries/x']) {
    expect((await caller.get(path)).status).toBe(403);
  }
  expect((await caller.post('/webhook_deliveries/x/redeliver', {})).status).toBe(403);
});
