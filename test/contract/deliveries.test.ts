import { all } from '../../tools/conform/walk-payto.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instantIn } from '../../tools/conform/requests.js';
import { activeAgreement } from '../../tools/conform/resources.js';
import { startWorld, type World } from '../support/payments-api/contract-world.js';
import { createVerifier, readNotifications } from '../../payments-api/webhook.js';
import type { DeliveryFilter } from '../../payments-api/requests/filter.schema.js';

const ANSWERS = [
  [200, 200],
  [404, 404],
  [429, 429],
  [500, 500],
  [503, 503],
  ['silence', null],
] as const;

let world: World;
let webhookId: string;
const refs = new Map<number | null, string>();
beforeAll(async () => {
  world = await startWorld();
  const [webhook] = await all(world.api.listWebhooks(world.call));
  webhookId = webhook?.id ?? '';
  for (const [answer, code] of ANSWERS) {
    world.receiver.answerWith(answer);
    refs.set(code, await activeAgreement(world));
  }
  world.receiver.answerWith(200);
});
afterAll(() => world.close());

const listed = (filter: DeliveryFilter) =>
  all(world.api.listWebhookDeliveries(webhookId, { perPage: 100, ...filter }, world.call));

type Codes = NonNullable<DeliveryFilter['responseStatusCode']>;

describe('delivery filters', () => {
  test.each<[string, Codes, (number | null)[]]>([
    ['200', [200], [200]],
    ['404,500', [404, 500], [404, 500]],
    ['500-599', [{ from: 500, to: 599 }], [500, 503]],
    ['404-429', [{ from: 404, to: 429 }], [404, 429]],
    ['400-428', [{ from: 400, to: 428 }], [404]],
    ['503-503', [{ from: 503, to: 503 }], [503]],
    ['null', [null], [null]],
    ['null,500-599', [null, { from: 500, to: 599 }], [500, 503, null]],
    ['200,400-499,null', [200, { from: 400, to: 499 }, null], [200, 404, 429, null]],
    ['201', [201], []],
  ])('select by response_status_code=%s', async (written, responseStatusCode, codes) => {
    const found = await listed({ responseStatusCode });
    expect(world.last().query['response_status_code']).toBe(written);
    expect(new Set(found.map((one) => one.response_status_code))).toEqual(new Set(codes));
    expect(found).toHaveLength(codes.length);
  });

  test.each<[string, DeliveryFilter['state'], (number | null)[]]>([
    ['answered', ['completed'], [200, 404, 429, 500, 503]],
    ['awaiting a retry', ['retrying'], [null]],
    ['given up', ['failed'], []],
  ])('select deliveries that are %s', async (_, state, codes) => {
    const found = await listed({ state });
    expect(found.map((one) => one.response_status_code).toReversed()).toEqual(codes);
  });

  test('select by the uid of the resource', async () => {
    const ref = refs.get(404) ?? '';
    expect(await listed({ ref })).toMatchObject([
      { response_status_code: 404, payload_data_summary: [{ ref }] },
    ]);
  });

  test('select by event type', async () => {
    expect(await listed({ eventType: 'payto_agreement.activated' })).toHaveLength(ANSWERS.length);
    expect(await listed({ eventType: 'payto_agreement.declined' })).toEqual([]);
  });

  test('select by creation time', async () => {
    expect(await listed({ since: instantIn(world, -600) })).toHaveLength(ANSWERS.length);
    expect(await listed({ since: instantIn(world, 600) })).toEqual([]);
  });
});

const verify = createVerifier({
  verifier: 'hmac',
  secrets: ['sandbox-webhook-secret'],
  signatureHeader: 'Service-Signature',
  toleranceSeconds: 300,
});

test('a missed delivery can be found, redelivered and read after an outage', async () => {
  world.receiver.answerWith('silence');
  const uid = await activeAgreement(world);
  world.receiver.answerWith(200);
  const [missed] = await listed({ responseStatusCode: [null], ref: uid });
  const again = world.receiver.next();
  const redelivery = await world.api.redeliverWebhook(missed?.id ?? '', world.call);
  expect(redelivery).toEqual({ id: missed?.id, webhook_id: webhookId, state: 'pending' });
  const { headers, raw } = await again;
  expect(verify(Buffer.from(raw), (name) => String(headers[name.toLowerCase()]), Date.now()).ok).toBe(true);
  const receipt = { receivedAt: new Date().toISOString(), authenticated: true };
  const [notification] = readNotifications(Buffer.from(raw), receipt);
  const [activated] = await world.api.getAgreementHistory(uid, world.call);
  expect(notification).toMatchObject({ uid, fact: { id: activated?.id, type: 'activated' } });
  await world.control.flushWebhooks();
  expect(await world.api.getWebhookDelivery(missed?.id ?? '', world.call)).toMatchObject({
    state: 'completed',
    response_status_code: 200,
    payload: JSON.parse(raw) as unknown,
  });
});

test('deliveries are listed for seven days', async () => {
  const uid = await activeAgreement(world);
  const [delivery] = await listed({ ref: uid });
  await world.pass(7 * 24 * 60 * 60 + 1);
  expect(await listed({ ref: uid })).toEqual([]);
  await expect(world.api.getWebhookDelivery(delivery?.id ?? '', world.call)).rejects.toMatchObject({
    code: 'not_found',
  });
});
