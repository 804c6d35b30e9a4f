import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { secretOf } from '../../../../sealing/secret.js';
import { KEYS, anApi, get, post, type Api } from '../../../support/api/app.js';
import { problemIn } from '../../../support/api/builders.js';
import { A_WEBHOOK_SECRET, anEndpoint } from '../../../support/api/mocked-gateway.js';
import type { ApiKey } from '../../../../api/http/api-keys.js';

const refusing = anApi();

const PATH = '/v1/webhook-endpoints';
const URL = 'https://backend.test/events';
const as = (key: string) => ({ authorization: `Bearer ${key}` });
const create = (api: Api, body: object, key: string = KEYS.all) =>
  post(api, PATH, body, { ...as(key), 'idempotency-key': 'k-1' });
const change = (api: Api, body: object, key: string = KEYS.all) =>
  post(api, `${PATH}/we-1`, body, as(key), 'PATCH');

function withKey(api: Api, secret: string, of: Partial<ApiKey>): Api {
  const sha256 = secretOf(createHash('sha256').update(secret).digest());
  api.keysNow.push({ id: secret, principal: secret, scopes: ['read', 'write'], sha256, ...of });
  return api;
}

test('an endpoint is bound to the key that makes it, and only this answer has its secret', async () => {
  const api = withKey(anApi(), 'bound', { connections: ['acme'] });
  const response = await create(api, { url: URL, types: ['agreement.*', 'payment.settled'] }, 'bound');
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({
    data: { url: URL, form: 'full', connections: null, key: 'bound', secret: A_WEBHOOK_SECRET },
  });
  expect(api.door.webhookEndpoints.create.mock.lastCall?.[0]).toMatchObject({
    ...{ principal: 'bound', keyConnections: ['acme'], keyScopes: ['read', 'write'] },
    settings: { types: ['agreement.*', 'payment.settled'], connections: undefined },
  });
  expect(await (await get(api, `${PATH}/we-1`)).json()).not.toHaveProperty('data.secret');
  expect(api.lines.join('')).not.toContain(A_WEBHOOK_SECRET.slice(6));
});

test.each([
  ['a name with a private address', 'https://inside.test/events'],
  ['a private address', 'https://10.1.2.3/'],
  ['loopback in another notation', 'https://2130706433/'],
  ['an IPv6 address', 'https://[::1]/'],
  ['the metadata of a cloud', 'https://169.254.169.254/latest'],
  ['plain http', 'http://backend.test/'],
  ['credentials', 'https://user:secret@backend.test/'],
  ['no URL', 'backend.test'],
])('%s is refused as the URL of an endpoint', async (_, url) => {
  const refused = { status: 422, code: 'webhook_url_refused', errors: [{ pointer: '/url' }] };
  expect(await problemIn(await create(refusing, { url }))).toMatchObject(refused);
  expect(await problemIn(await change(refusing, { url }))).toMatchObject(refused);
  expect(refusing.door.webhookEndpoints.create).not.toHaveBeenCalled();
  expect(refusing.door.webhookEndpoints.change).not.toHaveBeenCalled();
});

test('a URL whose name does not resolve is accepted, as its deliveries show it', async () => {
  expect((await create(anApi(), { url: 'https://not-yet.test/' })).status).toBe(201);
});

test.each([
  [{ url: URL, types: ['payment.setled'] }, '/types/0', /payment\.settled/],
  [{ url: URL, types: ['nothing.*'] }, '/types/0', /agreement\.\*/],
  [{ url: URL, types: [] }, '/types', /null for all/],
  [{ url: URL, types: 'agreement.*' }, '/types', /array/],
  [{ url: `https://backend.test/${'a'.repeat(2000)}` }, '/url', /2000/],
  [{ url: URL, connections: ['../acme'] }, '/connections/0', /characters/],
  [{ url: URL, form: 'whole' }, '/form', /full/],
  [{ url: URL, description: 'orders\n\u0007' }, '/description', /control/],
  [{ url: URL, secret: 'mine' }, '/secret', /unknown/],
])('%j is refused at its place', async (body, pointer, detail) => {
  const { code, errors = [] } = await problemIn(await create(refusing, body));
  expect({ code, errors }).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer, detail: expect.stringMatching(detail) as string }],
  });
});

test('a full endpoint needs the scope read, and a thin one does not', async () => {
  const api = anApi();
  expect(await problemIn(await create(api, { url: URL }, KEYS.write))).toMatchObject({
    code: 'insufficient_scope',
  });
  const thin = await create(api, { url: URL, form: 'thin' }, KEYS.write);
  expect(await thin.json()).toMatchObject({ data: { secret: A_WEBHOOK_SECRET } });
  const made = anEndpoint({ principal: KEYS.all, form: 'thin', keyScopes: ['write'] });
  api.door.webhookEndpoints.read.mockResolvedValue(made);
  expect((await change(api, { form: 'full' })).status).toBe(403);
});

test('connections must be within those of the key, and of the key that made the endpoint', async () => {
  const api = withKey(anApi(), 'bound', { connections: ['acme'] });
  expect((await create(api, { url: URL, connections: ['other'] }, 'bound')).status).toBe(404);
  api.door.webhookEndpoints.read.mockResolvedValue(anEndpoint({ keyConnections: ['acme'] }));
  expect(await problemIn(await change(api, { connections: ['acme', 'other'] }))).toMatchObject({
    ...{ code: 'invalid_request', errors: [{ pointer: '/connections/1' }] },
  });
  expect(api.door.webhookEndpoints.change).not.toHaveBeenCalled();
});

test('another principal does not find an endpoint, except an operator of all connections', async () => {
  const api = withKey(withKey(anApi(), 'plain', {}), 'bound', {
    ...{ principal: KEYS.all, connections: ['acme'], scopes: ['read', 'write', 'operate'] },
  });
  const found = async (key: string) =>
    Promise.all([
      get(api, `${PATH}/we-1`, key).then(({ status }) => status),
      change(api, { status: 'disabled' }, key).then(({ status }) => status),
      get(api, PATH, key).then(async (page) => ((await page.json()) as { data: object[] }).data.length),
    ]);
  expect(await found('plain')).toEqual([404, 404, 0]);
  expect(await found('bound')).toEqual([404, 404, 0]);
  expect(await found(KEYS.other)).toEqual([200, 200, 1]);
  api.door.webhookEndpoints.read.mockResolvedValue(anEndpoint({ keyConnections: ['acme'] }));
  expect((await get(api, `${PATH}/we-1`, 'bound')).status).toBe(200);
});

test('creation needs an Idempotency-Key, and the same one with another body is a conflict', async () => {
  const api = anApi();
  expect(await problemIn(await post(api, PATH, { url: URL }))).toMatchObject({
    code: 'idempotency_key_required',
  });
  api.door.webhookEndpoints.create.mockResolvedValueOnce({ is: 'conflict' });
  expect(await problemIn(await create(api, { url: URL }))).toMatchObject({ code: 'idempotency_conflict' });
  for (const of of ['all', 'principal'] as const) {
    api.door.webhookEndpoints.create.mockResolvedValueOnce({ is: 'too_many', of });
    expect(await problemIn(await create(api, { url: URL }))).toMatchObject({ code: 'too_many_endpoints' });
  }
});

test('a repeat with another API key is a conflict, and shows no endpoint that the key may not use', async () => {
  const api = withKey(anApi(), 'bound', { connections: ['acme'] });
  const made = api.door.webhookEndpoints.create;
  made.mockResolvedValueOnce({ is: 'other_key' });
  expect(await problemIn(await create(api, { url: URL }))).toMatchObject({
    ...{
      status: 422,
      code: 'idempotency_conflict',
      detail: expect.stringMatching(/another API key/) as string,
    },
  });
  const repeated = { is: 'repeated', secret: undefined } as const;
  made.mockResolvedValueOnce({ ...repeated, endpoint: anEndpoint({ principal: 'bound' }) });
  expect((await create(api, { url: URL }, 'bound')).status).toBe(404);
  made.mockResolvedValueOnce({ ...repeated, endpoint: anEndpoint() });
  const answer = await create(api, { url: URL });
  expect([answer.status, await answer.json()]).toEqual([
    201,
    { data: expect.not.objectContaining({ secret: A_WEBHOOK_SECRET }) as object },
  ]);
});

test('a URL is stored in its standard form, without what is never sent', async () => {
  const api = anApi();
  await create(api, { url: ' HTTPS://Backend.test:443/a/../events\t?x=1#part' });
  expect(api.door.webhookEndpoints.create.mock.lastCall?.[0].settings.url).toBe(`${URL}?x=1`);
});

test('a change sets only what it names, and null means all', async () => {
  const api = anApi();
  await change(api, { types: null, description: null, status: 'enabled' });
  expect(api.door.webhookEndpoints.change.mock.lastCall).toEqual([
    'we-1',
    {
      settings: { types: undefined, description: undefined },
      ...{ status: 'enabled', by: KEYS.all },
    },
  ]);
});

test('a deleted endpoint answers 204', async () => {
  const api = anApi();
  const response = await api.app.request(`${PATH}/we-1`, { method: 'DELETE', headers: as(KEYS.all) });
  expect([response.status, await response.text()]).toEqual([204, '']);
});
