import { describe, expect, test } from 'vitest';
import { NOW, SECRET_OF_ACME, WEBHOOK_SECRET, anApi, type Api } from '../../../support/api/app.js';
import { aWebhook, problemIn, signed } from '../../../support/api/builders.js';

const push = async ({ app }: Api, body: object, secret = WEBHOOK_SECRET, path = '/webhooks/acme') => {
  const text = JSON.stringify(body);
  return app.request(path, { method: 'POST', headers: signed(text, secret, NOW), body: text });
};

describe('a webhook that a secret of one connection proves', () => {
  test('carries that connection', async () => {
    const api = anApi();
    expect((await push(api, aWebhook(), SECRET_OF_ACME)).status).toBe(200);
    expect(api.door.deliver.mock.lastCall?.[0].fact).toMatchObject({
      namedConnectionId: 'acme',
      provenConnectionId: 'acme',
      authenticated: true,
    });
    await push(api, aWebhook({ id: 'another' }));
    expect(api.door.deliver.mock.lastCall?.[0].fact.provenConnectionId).toBeUndefined();
  });

  test.each(['/webhooks', '/webhooks/other'])('is refused at %s', async (path) => {
    const api = anApi();
    const refused = await problemIn(await push(api, aWebhook(), SECRET_OF_ACME, path));
    expect(refused).toMatchObject({ status: 401, code: 'webhook_signature_mismatch' });
    expect(api.door.deliver).not.toHaveBeenCalled();
  });

  test('does not hide the genuine event with the same id', async () => {
    const api = anApi();
    await push(api, aWebhook(), SECRET_OF_ACME);
    expect(await (await push(api, aWebhook())).json()).toEqual({ data: { accepted: 1, duplicates: 0 } });
    expect(api.door.deliver).toHaveBeenCalledTimes(2);
  });
});
