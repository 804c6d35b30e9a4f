import { expect, test } from 'vitest';
import { writeCursor } from '../../../../api/http/paging.js';
import { KEYS, anApi, get, post } from '../../../support/api/app.js';
import { problemIn } from '../../../support/api/builders.js';
import { A_WEBHOOK_SECRET, aDelivery, anEndpoint } from '../../../support/api/mocked-gateway.js';

const PATH = '/v1/webhook-endpoints/we-1';
const A_DIGEST = expect.stringMatching(/^[0-9a-f]{32}$/) as string;
const authorization = `Bearer ${KEYS.write}`;

test('a rotation answers with the new secret, also to a key that only writes', async () => {
  const api = anApi();
  api.door.webhookEndpoints.read.mockResolvedValue(
    anEndpoint({ principal: KEYS.write, keyScopes: ['write'] }),
  );
  const answer = await post(api, `${PATH}/secret-rotation`, '', { authorization, 'idempotency-key': 'k' });
  expect(await answer.json()).toMatchObject({ data: { id: 'we-1', secret: A_WEBHOOK_SECRET } });
  expect(api.door.webhookEndpoints.rotateSecret.mock.lastCall).toEqual([
    'we-1',
    { overlapHours: 24, use: { key: A_DIGEST, body: A_DIGEST, uid: 'we-1' } },
  ]);
  expect((await post(api, `${PATH}/secret-rotation`, { overlap_hours: 169 })).status).toBe(400);
});

test.each([
  [{ is: 'unfinished' }, 409, 'replay_unfinished'],
  [{ is: 'expired', before: '2026-09-01T00:00:00.000Z' }, 410, 'events_expired'],
  [{ is: 'no_endpoint' }, 404, 'not_found'],
  [{ is: 'conflict' }, 422, 'idempotency_conflict'],
] as const)('a replay that is %j answers %i', async (start, status, code) => {
  const api = anApi();
  api.door.webhookEndpoints.startReplay.mockResolvedValue(start);
  const answer = await post(api, `${PATH}/replay`, { since: '2026-08-01T00:00:00Z' });
  expect(await problemIn(answer)).toMatchObject({ status, code });
});

test('a replay needs a time, and types that exist', async () => {
  const api = anApi();
  expect((await post(api, `${PATH}/replay`, {})).status).toBe(400);
  expect((await post(api, `${PATH}/replay`, { since: 'yesterday' })).status).toBe(400);
  const since = '2026-10-01T00:00:00Z';
  expect((await post(api, `${PATH}/replay`, { since, types: ['no.type'] })).status).toBe(400);
  expect((await post(api, `${PATH}/replay`, { since, types: ['refund.*'] })).status).toBe(202);
  expect(api.door.webhookEndpoints.startReplay).toHaveBeenCalledTimes(1);
});

test('a replay of types that the endpoint does not receive would send nothing', async () => {
  const api = anApi();
  api.door.webhookEndpoints.read.mockResolvedValue(anEndpoint({ types: ['payment.settled', 'refund.*'] }));
  const replay = async (types: string[]) =>
    post(api, `${PATH}/replay`, { since: '2026-10-01T00:00:00Z', types });
  expect(await problemIn(await replay(['payment.*', 'agreement.*']))).toMatchObject({
    ...{ status: 422, code: 'types_not_received', errors: [{ pointer: '/types' }] },
    detail: expect.stringMatching(/receive agreement\.\*\./) as string,
  });
  expect((await replay(['payment.*', 'refund.*'])).status).toBe(202);
});

test('a key with fewer scopes than the key of the endpoint only stops it', async () => {
  const api = anApi();
  const { read, rotateSecret } = api.door.webhookEndpoints;
  read.mockResolvedValue(anEndpoint({ principal: KEYS.write, form: 'thin' }));
  const since = '2026-10-01T00:00:00Z';
  const sent = [
    [`${PATH}/secret-rotation`, {}, 'POST'],
    [`${PATH}/replay`, { since }, 'POST'],
    [`${PATH}/test`, '', 'POST'],
    [`${PATH}/deliveries/d-1/resend`, '', 'POST'],
    [PATH, { url: 'https://backend.test/mine' }, 'PATCH'],
    [PATH, { types: null }, 'PATCH'],
    [PATH, { connections: null }, 'PATCH'],
    [PATH, { form: 'thin' }, 'PATCH'],
    [PATH, { status: 'disabled', description: null }, 'PATCH'],
  ] as const;
  const as = async ([path, body, method]: (typeof sent)[number]) =>
    (await post(api, path, body, { authorization }, method)).status;
  expect(await Promise.all(sent.map(as))).toEqual([...Array<number>(8).fill(403), 200]);
  expect(await problemIn(await post(api, `${PATH}/test`, '', { authorization }))).toMatchObject({
    ...{ code: 'insufficient_scope', detail: expect.stringContaining('lacks its scope read') as string },
  });
  expect(rotateSecret).not.toHaveBeenCalled();
  // The key that made it, after its scopes were reduced: the endpoint follows it.
  read.mockResolvedValue(anEndpoint({ principal: KEYS.write, apiKeyId: 'id-write' }));
  expect((await post(api, `${PATH}/test`, '', { authorization })).status).toBe(200);
});

test('a rotation that was made before has no secret, or is a conflict', async () => {
  const api = anApi();
  const { rotateSecret } = api.door.webhookEndpoints;
  rotateSecret.mockResolvedValueOnce({ is: 'repeated', secret: undefined });
  const answer = await (await post(api, `${PATH}/secret-rotation`, '')).json();
  expect(answer).not.toHaveProperty('data.secret');
  rotateSecret.mockResolvedValueOnce({ is: 'conflict' });
  const problem = await problemIn(await post(api, `${PATH}/secret-rotation`, ''));
  expect(problem).toMatchObject({ status: 422, code: 'idempotency_conflict' });
});

test('an operator resolves a flag, which the audit log has', async () => {
  const api = anApi();
  const path = `${PATH}/attention/undelivered/resolution`;
  expect((await post(api, path, { reason: 'sent by hand' })).status).toBe(200);
  expect(api.audited).toMatchObject([{ action: 'resolveWebhookAttention', outcome: 'done', target: path }]);
  api.door.webhookEndpoints.resolveFlag.mockResolvedValue('not_raised');
  expect(await problemIn(await post(api, path, { reason: 'again' }))).toMatchObject({
    code: 'no_such_attention',
  });
  api.door.webhookEndpoints.resolveFlag.mockResolvedValue('conflict');
  expect(await problemIn(await post(api, path, { reason: 'other' }))).toMatchObject({
    code: 'idempotency_conflict',
  });
  expect((await post(api, path, { reason: 'mine' }, { authorization })).status).toBe(403);
});

test('a test and a resend answer with their attempt', async () => {
  const api = anApi();
  const { sendNow, delivery } = api.door.webhookEndpoints;
  expect(await (await post(api, `${PATH}/test`, '')).json()).toMatchObject({
    data: { id: 'd-1', event: { id: 'evt_1', resource: 'pay-1' }, outcome: 'delivered', status: 200 },
  });
  await post(api, `${PATH}/deliveries/d-1/resend`, '');
  delivery.mockResolvedValueOnce(aDelivery({ eventId: 'evt_test_1', eventType: 'webhook_endpoint.test' }));
  await post(api, `${PATH}/deliveries/d-2/resend`, '');
  expect(sendNow.mock.calls.map(([, { event }]) => event)).toEqual([
    { test: true },
    { eventId: 'evt_1' },
    { test: true },
  ]);
  delivery.mockResolvedValueOnce(undefined);
  expect((await post(api, `${PATH}/deliveries/d-3/resend`, '')).status).toBe(404);
});

test('deliveries have pages, and a cursor of another form is refused', async () => {
  const api = anApi();
  const { deliveries } = api.door.webhookEndpoints;
  const place = ['2026-10-01T02:00:00.123456Z', 'd-1'] as const;
  deliveries.mockResolvedValueOnce({ deliveries: [aDelivery()], next: place });
  const page = (await (await get(api, `${PATH}/deliveries?outcome=failed&per_page=1`)).json()) as {
    links: { next: string };
  };
  expect((await get(api, page.links.next)).status).toBe(200);
  expect(deliveries.mock.lastCall?.[1]).toEqual({
    ...{ outcome: 'failed', eventId: undefined, before: place, limit: 1 },
  });
  const forged = [
    ['0000-01-01T00:00:00.000000Z', 'd-1'],
    ['2026-02-30T00:00:00.000000Z', 'd-1'],
    [`2026-10-01T02:00:00.${'1'.repeat(200)}Z`, 'd-1'],
    [place[0], 'd\0'],
  ].map((of) => `cursor=${writeCursor(of)}`);
  for (const query of [...forged, 'cursor=bm8', 'outcome=lost', 'event=1', 'connection=acme'])
    expect((await get(api, `${PATH}/deliveries?${query}`)).status).toBe(400);
});

test('only keys that see personal data see what the receiver answered', async () => {
  const api = anApi();
  api.door.webhookEndpoints.read.mockResolvedValue(anEndpoint({ principal: KEYS.read }));
  const answers = async (key: string) => {
    const page = await (await get(api, `${PATH}/deliveries`, key)).json();
    return (page as { data: { answer: string | null }[] }).data.map(({ answer }) => answer);
  };
  expect(await answers(KEYS.read)).toEqual([null]);
  expect(await answers(KEYS.all)).toEqual(['ok']);
  api.door.webhookEndpoints.read.mockResolvedValue(anEndpoint({ principal: KEYS.readPersonal }));
  expect(await answers(KEYS.readPersonal)).toEqual(['ok']);
});
