import { describe, expect, test } from 'vitest';
import { NOW, WEBHOOK_SECRET, anApi, type Api } from '../../../../support/api/app.js';
import { aWebhook, problemIn, signed } from '../../../../support/api/builders.js';
import { push, metric } from '../../../../support/api/events.js';

describe('accepted webhook', () => {
  test('gets 200 after Temporal has stored it', async () => {
    const api = anApi();
    const response = await push(api, aWebhook());
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: { accepted: 1, duplicates: 0 } });
    const [notification, connection] = api.door.deliver.mock.lastCall ?? [];
    expect(notification).toMatchObject({
      resource: 'agreement',
      uid: 'agr-1',
      fact: {
        type: 'activated',
        publishedAt: '2026-10-01T02:00:00.000Z',
        source: 'webhook',
        authenticated: true,
      },
    });
    expect(notification?.fact.namedConnectionId).toBeUndefined();
    expect(connection).toBeUndefined();
    expect(await metric(api, 'payto_webhook_events_accepted_total{resource="agreement"}')).toMatch(/ 1$/);
  });

  test.each([
    ['req-7', true],
    ['req 7', false],
  ])('logs the request id of the provider only if valid: %j (%j)', async (id, isLogged) => {
    const api = anApi({ bridge: { requestIdHeader: 'Their-Request-ID' } });
    expect((await push(api, aWebhook(), { 'their-request-id': id })).status).toBe(200);
    expect(api.lines.at(-1)?.includes(`"provider_request_id":"${id}"`)).toBe(isLogged);
  });

  test('may be signed with any secret, and belongs to the connection in its path', async () => {
    const api = anApi();
    const body = JSON.stringify(aWebhook());
    const headers = signed(body, 'an-older-secret', NOW);
    const response = await push(api, body, headers, '/webhooks/acme');
    expect(response.status).toBe(200);
    expect(api.door.deliver.mock.lastCall).toMatchObject([{ fact: { namedConnectionId: 'acme' } }, 'acme']);
  });

  test('is delivered without an unknown connection, which is counted and checked again next time', async () => {
    const api = anApi();
    api.door.connections.exists.mockResolvedValueOnce(false);
    expect((await push(api, aWebhook(), {}, '/webhooks/nobody')).status).toBe(200);
    expect(api.door.deliver.mock.lastCall).toEqual([expect.objectContaining({ uid: 'agr-1' }), undefined]);
    const counted = 'payto_webhook_connections_unknown_total';
    expect(await metric(api, counted)).toMatch(/ 1$/);
    await push(api, aWebhook({ id: 'another' }), {}, '/webhooks/nobody');
    expect(api.door.deliver.mock.lastCall?.[1]).toBe('nobody');
    expect(await metric(api, counted)).toMatch(/ 1$/);
  });

  test('is delivered again at the right address after it arrived at a wrong one', async () => {
    const api = anApi();
    for (const path of ['/webhooks/wrong', '/webhooks', '/webhooks/acme'])
      expect(await (await push(api, aWebhook(), {}, path)).json()).toMatchObject({ data: { accepted: 1 } });
    const named = api.door.deliver.mock.calls.map(([{ fact }]) => fact.namedConnectionId);
    expect(named).toEqual(['wrong', undefined, 'acme']);
  });

  test.each(['/webhooks/', '/webhooks/acme/'])(
    'may have a slash at the end of its path: %s',
    async (path) => {
      const api = anApi();
      expect((await push(api, aWebhook(), {}, path)).status).toBe(200);
      expect(api.door.deliver.mock.lastCall?.[1]).toBe(path === '/webhooks/' ? undefined : 'acme');
    },
  );

  test('may have nearly 1 MiB', async () => {
    const api = anApi();
    expect((await push(api, aWebhook({ body: { note: 'x'.repeat(1024 * 1024 - 1000) } }))).status).toBe(200);
  });

  test('is delivered completely if it is a list', async () => {
    const api = anApi();
    const data = ['agr-1', 'agr-2'].map((uid) => aWebhook({ id: `e-${uid}`, resource_uid: uid }).data);
    expect(await (await push(api, { data })).json()).toEqual({ data: { accepted: 2, duplicates: 0 } });
    expect(api.door.deliver).toHaveBeenCalledTimes(2);
  });

  test('is stored if its type is unknown', async () => {
    const api = anApi();
    const body = aWebhook({
      type: 'float_accounts.unmatched_credit.received',
      resource_type: 'float',
      resource_uid: null,
    });
    expect((await push(api, body)).status).toBe(200);
    expect(api.door.deliver.mock.lastCall?.[0].resource).toBe('other');
  });
});

describe('refused webhook', () => {
  const body = JSON.stringify(aWebhook());
  const good = signed(body, WEBHOOK_SECRET, NOW)['service-signature'] ?? '';
  const CASES: [string, string, Record<string, string>, number, string][] = [
    ['without a signature', body, { 'service-signature': '' }, 401, 'webhook_signature_missing'],
    ['with a forged signature', body, signed(body, 'a-guess', NOW), 401, 'webhook_signature_mismatch'],
    [
      'with a signature that contains only a time',
      body,
      { 'service-signature': good.slice(0, 10) },
      401,
      'webhook_signature_malformed',
    ],
    ['with half a body', body.slice(0, 40), { 'service-signature': good }, 401, 'webhook_signature_mismatch'],
    ['with signed bytes that are not JSON', '{"data":', {}, 400, 'not_an_envelope'],
    ['with signed JSON that is not an envelope', '{"event":1}', {}, 400, 'not_an_envelope'],
    ['with a body over 1 MiB', JSON.stringify({ data: 'x'.repeat(1024 * 1024) }), {}, 413, 'body_too_large'],
    ['with another content type', body, { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    [
      'with another content type and a forged signature',
      body,
      { ...signed(body, 'a-guess', NOW), 'content-type': 'text/plain' },
      401,
      'webhook_signature_mismatch',
    ],
  ];
  test.each(CASES)('%s is counted and not delivered', async (_, text, headers, status, code) => {
    const api = anApi();
    expect(await problemIn(await push(api, text, headers))).toMatchObject({ status, code });
    expect(api.door.deliver).not.toHaveBeenCalled();
    expect(await metric(api, `payto_webhook_calls_refused_total{reason="${code}"}`)).toMatch(/ 1$/);
  });

  test('with an endless body is cut off at the size limit', async () => {
    const api = anApi();
    let given = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        given += 16 * 1024;
        controller.enqueue(new Uint8Array(16 * 1024));
      },
    });
    const headers = { 'content-type': 'application/json' };
    const request = new Request('http://api.test/webhooks', {
      method: 'POST',
      headers,
      body: endless,
      duplex: 'half',
    });
    expect(await problemIn(await api.app.request(request))).toMatchObject({ status: 413 });
    expect(given).toBeLessThan(2 * 1024 * 1024);
  });
});

describe('duplicate webhook', () => {
  test('gets 200 without a call to Temporal', async () => {
    const api = anApi();
    await push(api, aWebhook());
    const again = await push(api, aWebhook());
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual({ data: { accepted: 0, duplicates: 1 } });
    expect(api.door.deliver).toHaveBeenCalledOnce();
    expect(await metric(api, 'payto_webhook_events_duplicate_total')).toMatch(/ 1$/);
  });

  test('is delivered again after two hours, when the provider has stopped resending', async () => {
    const api = anApi();
    await push(api, aWebhook());
    api.time.now += 2 * 3_600_000 - 1000;
    expect(await (await push(api, aWebhook())).json()).toEqual({ data: { accepted: 0, duplicates: 1 } });
    api.time.now += 2000;
    expect(await (await push(api, aWebhook())).json()).toEqual({ data: { accepted: 1, duplicates: 0 } });
    expect(api.door.deliver).toHaveBeenCalledTimes(2);
  });

  test('is delivered once if it is twice in one body', async () => {
    const api = anApi();
    const { data } = aWebhook();
    expect(await (await push(api, { data: [data, data] })).json()).toEqual({
      data: { accepted: 1, duplicates: 1 },
    });
  });

  test('is recognised by its event id and resource together', async () => {
    const api = anApi();
    await push(api, aWebhook());
    await push(api, aWebhook({ resource_uid: 'agr-2' }));
    expect(api.door.deliver).toHaveBeenCalledTimes(2);
  });
});

test('a webhook with a type unknown to this release is delivered and counted', async () => {
  const api = anApi();
  for (const type of ['payto_agreement.activated', 'payto_agreement.levitated', 'payto_payment.levitated'])
    await push(api, aWebhook({ type, resource_type: type.split('.')[0] }));
  for (const resource of ['agreement', 'payment'])
    expect(await metric(api, `payto_webhook_events_unknown_total{resource="${resource}"}`)).toMatch(/ 1$/);
  expect(api.door.deliver).toHaveBeenCalledTimes(3);
});

describe('valid webhook signature with a stale time', () => {
  const aged = (seconds: number) => signed(JSON.stringify(aWebhook()), WEBHOOK_SECRET, NOW + seconds * 1000);
  const confirmed = ({ door }: Api) => door.deliver.mock.calls.map(([{ fact }]) => fact.authenticated);

  test.each([-301, 301, -86_400])(
    'is accepted as unauthenticated and counted at %i seconds from now',
    async (seconds) => {
      const api = anApi();
      expect((await push(api, aWebhook(), aged(seconds))).status).toBe(200);
      expect(confirmed(api)).toEqual([false]);
      expect(await metric(api, 'payto_webhook_calls_stale_total')).toMatch(/ 1$/);
    },
  );

  test('does not block an authenticated copy and adds nothing after one', async () => {
    const api = anApi();
    for (const headers of [aged(-301), aged(-301), {}, aged(-301), {}]) await push(api, aWebhook(), headers);
    expect(confirmed(api)).toEqual([false, true]);
  });
});
