import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { promisify } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../../../../../api/http/problems/errors.js';
import { NOW, WEBHOOK_SECRET, anApi, type Api } from '../../../../support/api/app.js';
import { aWebhook, problemIn, signed } from '../../../../support/api/builders.js';
import { push, metric } from '../../../../support/api/events.js';

describe('webhook during a Temporal outage', () => {
  const down = new ApiError('temporal_unavailable', 'Later.');

  test.each([down, new Error('an unexpected error')])(
    'is retried within the request after the error %s',
    async (error) => {
      const api = anApi();
      api.door.connections.exists.mockRejectedValueOnce(error);
      api.door.deliver.mockRejectedValueOnce(error).mockRejectedValueOnce(error);
      expect((await push(api, aWebhook(), {}, '/webhooks/acme')).status).toBe(200);
      expect(api.door.deliver).toHaveBeenCalledTimes(3);
    },
  );

  test('gets 503 after ten seconds and is not treated as a duplicate later', async () => {
    const api = anApi();
    api.door.deliver.mockRejectedValue(down);
    const response = await push(api, aWebhook());
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await problemIn(response)).toMatchObject({ status: 503, code: 'temporal_unavailable' });
    expect(api.time.now - NOW).toBeGreaterThan(9000);
    expect(api.time.now - NOW).toBeLessThanOrEqual(10_000);
    api.door.deliver.mockResolvedValue(undefined);
    expect(await (await push(api, aWebhook())).json()).toEqual({ data: { accepted: 1, duplicates: 0 } });
  });

  test('does not deliver again the stored events of a list', async () => {
    const api = anApi({ bridge: { patienceMs: 0 } });
    api.door.deliver.mockResolvedValueOnce(undefined).mockRejectedValueOnce(down);
    const data = ['agr-1', 'agr-2'].map((uid) => aWebhook({ id: `e-${uid}`, resource_uid: uid }).data);
    expect((await push(api, { data })).status).toBe(503);
    expect(await (await push(api, { data })).json()).toEqual({ data: { accepted: 1, duplicates: 1 } });
    expect(api.door.deliver.mock.lastCall?.[0].uid).toBe('agr-2');
  });

  test('is not retried after the process starts to stop', async () => {
    const stopping = new AbortController();
    const api = anApi({ bridge: { stopping: stopping.signal } });
    api.door.deliver.mockImplementation(() => {
      stopping.abort();
      return Promise.reject(down);
    });
    expect((await push(api, aWebhook())).status).toBe(503);
    expect(api.door.deliver).toHaveBeenCalledOnce();
  });
});

describe('WEBHOOK_UNAVAILABLE=close', () => {
  async function sent(api: Api, headers: Record<string, string> = {}): Promise<number | string> {
    const listener = getRequestListener(api.app.fetch);
    const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const body = JSON.stringify(aWebhook());
    const all = { ...signed(body, WEBHOOK_SECRET, api.time.now), connection: 'close', ...headers };
    try {
      const outgoing = request({ port, path: '/webhooks', method: 'POST', headers: all }).end(body);
      return await once(outgoing, 'response').then(
        ([{ statusCode }]) => z.number().parse(statusCode),
        (error: unknown) => z.object({ code: z.string() }).parse(error).code,
      );
    } finally {
      await promisify(server.close.bind(server))();
    }
  }

  test('closes the connection if an event is not stored, so that the provider resends it', async () => {
    const api = anApi({ bridge: { unavailable: 'close' } });
    api.door.deliver.mockRejectedValue(new ApiError('temporal_unavailable', 'Later.'));
    expect(await sent(api)).toBe('ECONNRESET');
    expect(await metric(api, 'payto_webhook_calls_refused_total{reason="temporal_unavailable"}')).toMatch(
      / 1$/,
    );
    expect(JSON.parse(api.lines.at(-1) ?? '')).toMatchObject({
      event: 'request',
      status: 503,
      code: 'temporal_unavailable',
    });
    api.door.deliver.mockResolvedValue(undefined);
    expect(await sent(api)).toBe(200);
  });

  test('closes the connection if Temporal has too many requests, because an answered webhook would be lost', async () => {
    const api = anApi({ bridge: { unavailable: 'close' } });
    api.door.deliver.mockRejectedValue(new ApiError('too_many_requests', 'Later.'));
    expect(await sent(api)).toBe('ECONNRESET');
  });

  test('closes the connection after an unexpected error, and answers a forged webhook with 401', async () => {
    const api = anApi({ bridge: { unavailable: 'close' } });
    api.door.deliver.mockRejectedValue(new TypeError('a bug'));
    expect(await sent(api)).toBe('ECONNRESET');
    expect(await sent(api, { 'service-signature': '1.2' })).toBe(401);
  });
});
