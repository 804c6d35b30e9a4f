import { expect, test } from 'vitest';
import { readConfig } from '../../sandbox/config.js';

test('without variables it has the documented settings', () => {
  expect(readConfig({ SANDBOX_WEBHOOK_SECRET: '' })).toEqual({
    host: '127.0.0.1',
    port: 8090,
    webhookUrl: 'http://127.0.0.1:8080/webhooks',
    webhookSecret: 'sandbox-webhook-secret',
    clientId: 'sandbox-client',
    clientSecret: 'sandbox-client-secret',
    redirectUri: 'http://127.0.0.1:8080/oauth/callback',
    dataFile: null,
    seed: null,
  });
});

test.each([
  ['SANDBOX_PORT', '70000'],
  ['SANDBOX_PORT', 'eighty'],
  ['SANDBOX_WEBHOOK_URL', 'not a url'],
  ['SANDBOX_REDIRECT_URI', 'ftp://host/'],
  ['SANDBOX_SEED', 'x'.repeat(201)],
])('%s=%s is refused by name', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must be [^\n]+$`));
});
