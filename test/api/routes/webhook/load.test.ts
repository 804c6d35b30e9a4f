import { expect, test, vi } from 'vitest';
import { SECRET_OF_ACME, WEBHOOK_SECRET, anApi, type Api } from '../../../support/api/app.js';
import { aWebhook, problemIn, signed } from '../../../support/api/builders.js';

const push = async ({ app, time }: Api, webhook: object, secret = WEBHOOK_SECRET) => {
  const body = JSON.stringify(webhook);
  return app.request('/webhooks/acme', { method: 'POST', headers: signed(body, secret, time.now), body });
};

const many = (count: number, name: string) => ({
  data: Array.from({ length: count }, (_, index) => aWebhook({ id: `${name}-${index}` }).data),
});

test('one body is delivered by at most 64 at once, and further events over 2,000 are not taken', async () => {
  const api = anApi();
  let [underWay, most] = [0, 0];
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  api.door.deliver.mockImplementation(async () => {
    most = Math.max(most, ++underWay);
    await opened;
    underWay -= 1;
  });
  const accepted = Array.from({ length: 8 }, (_, index) => push(api, many(250, `body-${index}`)));
  await vi.waitFor(() => expect(underWay).toBe(64));
  expect(await problemIn(await push(api, many(1, 'c')))).toMatchObject({
    status: 503,
    code: 'temporal_unavailable',
  });
  open();
  expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect([most, api.door.deliver.mock.calls.length]).toEqual([64, 2000]);
  expect((await push(api, many(1, 'c'))).status).toBe(200);
});

test('a flood by the secret of a connection does not delay the webhooks of the provider', async () => {
  const api = anApi();
  const waiting: (() => void)[] = [];
  api.door.deliver.mockImplementation(({ fact }) =>
    fact.provenConnectionId === undefined
      ? Promise.resolve()
      : new Promise((resolve) => waiting.push(resolve)),
  );
  const flood = [push(api, many(250, 'a'), SECRET_OF_ACME), push(api, many(250, 'b'), SECRET_OF_ACME)];
  await vi.waitFor(() => expect(waiting).toHaveLength(8));
  expect((await push(api, many(1, 'c'), SECRET_OF_ACME)).status).toBe(503);
  expect((await push(api, many(250, 'd'))).status).toBe(200);
  expect(waiting).toHaveLength(8);
  api.door.deliver.mockResolvedValue(undefined);
  for (const deliver of waiting) deliver();
  expect((await Promise.all(flood)).map(({ status }) => status)).toEqual([200, 200]);
});

test('entries that name no resource are one delivery', async () => {
  const api = anApi();
  const response = await push(api, { data: Array(20_000).fill({}) });
  expect(await response.json()).toEqual({ data: { accepted: 1, duplicates: 0 } });
  expect(api.door.deliver).toHaveBeenCalledOnce();
});

test('a large body is not read while 64 others are, and is left for a repetition', async () => {
  const api = anApi();
  const ends: (() => void)[] = [];
  const unfinished = () => {
    const body = new ReadableStream({ start: (controller) => void ends.push(() => controller.close()) });
    return api.app.request(new Request('http://api.test/webhooks', { method: 'POST', body, duplex: 'half' }));
  };
  const large = Array.from({ length: 64 }, async () => unfinished());
  expect((await unfinished()).status).toBe(503);
  const body = JSON.stringify(many(1, 'small'));
  const headers = { ...signed(body, WEBHOOK_SECRET, api.time.now), 'content-length': String(body.length) };
  expect((await api.app.request('/webhooks', { method: 'POST', headers, body })).status).toBe(200);
  for (const end of ends) end();
  expect((await Promise.all(large)).map(({ status }) => status)).toEqual(Array(64).fill(401));
});

test('a large body that waits for Temporal does not block others', async () => {
  const api = anApi();
  let store = (): void => undefined;
  api.door.deliver.mockReturnValue(new Promise<void>((resolve) => (store = resolve)));
  const waiting = Array.from({ length: 64 }, (_, index) => push(api, many(1, `body-${index}`)));
  await vi.waitFor(() => expect(api.door.deliver).toHaveBeenCalledTimes(64));
  const another = push(api, many(1, 'another'));
  store();
  expect((await another).status).toBe(200);
  await Promise.all(waiting);
});
