import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../api/config.js';
import { refusedLines as refusedLinesOf } from '../support/environments.js';
import { A_PUBLIC_KEY } from '../support/sealing/keyrings.js';
import { NOWHERE } from '../support/records.js';

const A_KEY = createHash('sha256').update('bytes').digest('base64');
const SHA = createHash('sha256').update('a key').digest('hex');
const SHA_2 = createHash('sha256').update('another').digest('hex');
const SHA_OF_NOTHING = createHash('sha256').digest('hex');
const aSetting = (with_: Record<string, string | undefined> = {}): Record<string, string | undefined> => ({
  API_KEYS: `backend-1:backend:read+write:${SHA},ops:ops:operate:${SHA_2}`,
  WEBHOOK_VERIFIER: 'hmac',
  WEBHOOK_SECRETS: 'the-first-of-two-secrets,the-second-of-two',
  PAYMENTS_AUTH_URL: 'https://auth.test/',
  OAUTH_CLIENT_ID: 'client',
  OAUTH_REDIRECT_URI: 'https://api.test/oauth/callback',
  OAUTH_SCOPES: 'pay_to_agreements pay_to_payments',
  RECORDS_URL: NOWHERE,
  ENCRYPTION_KEYS: `k1:${A_KEY}`,
  SESSION_KEYS: `s1:${createHash('sha256').update('other bytes').digest('base64')}`,
  TOKEN_PUBLIC_KEY: A_PUBLIC_KEY,
  TEMPORAL_CONFIG_FILE: '/nowhere.toml',
  ...with_,
});

const refusedLines = (with_: Record<string, string | undefined>): readonly string[] =>
  refusedLinesOf(() => readConfig(aSetting(with_)));

describe('API settings', () => {
  test('have defaults if no value is set', () => {
    expect(readConfig(aSetting())).toMatchObject({
      API_HOST: '127.0.0.1',
      API_PORT: 8080,
      TASK_QUEUE: 'payto',
      WEBHOOK_SIGNATURE_HEADER: 'Service-Signature',
      WEBHOOK_REQUEST_ID_HEADER: 'Service-Request-ID',
      WEBHOOK_TOLERANCE_SECONDS: 300,
      WEBHOOK_PATIENCE_SECONDS: 10,
      WEBHOOK_UNAVAILABLE: 'close',
      PAYMENTS_AUTH_URL: 'https://auth.test',
      CLIENT_DEPTH: 2,
      HIGH_RISK_MCC: [],
      CODEC_ORIGINS: [],
      OAUTH_PKCE: 'S256',
      CONSENT_CONFIRMATION: 'on',
      RETURN_URLS: [],
      PAYLOADS_IN_CLEAR: 'refuse',
      API_KEYS: [
        { id: 'backend-1', principal: 'backend', scopes: ['read', 'write'] },
        { id: 'ops', principal: 'ops', scopes: ['operate'] },
      ],
    });
  });

  test("use the TEMPORAL_* variables read by Temporal's library", () => {
    const { temporal } = readConfig(
      aSetting({ TEMPORAL_ADDRESS: 'temporal.test:7233', TEMPORAL_NAMESPACE: 'payto', TEMPORAL_TLS: 'true' }),
    );
    expect(temporal).toMatchObject({ namespace: 'payto', address: 'temporal.test:7233' });
    expect(temporal.connectionOptions.reveal()).toMatchObject({ address: 'temporal.test:7233' });
  });
});

test('CODEC_ORIGINS accepts a comma-separated list of exact origins', () => {
  const given = ' http://127.0.0.1:8233, https://temporal.test,http://[::1]:8233 ';
  expect(readConfig(aSetting({ CODEC_ORIGINS: given })).CODEC_ORIGINS).toEqual([
    'http://127.0.0.1:8233',
    'https://temporal.test',
    'http://[::1]:8233',
  ]);
});

test('HIGH_RISK_MCC accepts a comma-separated list of four-digit codes', () => {
  expect(readConfig(aSetting({ HIGH_RISK_MCC: ' 7995, 6051,' })).HIGH_RISK_MCC).toEqual(['7995', '6051']);
});

describe('missing or invalid API settings', () => {
  test('report one line for each missing variable', () => {
    const missing = { WEBHOOK_VERIFIER: undefined, OAUTH_CLIENT_ID: '  ' };
    const either = { WEBHOOK_SECRETS: '  ', API_KEYS: undefined };
    for (const without of [missing, either]) {
      const lines = refusedLines(without);
      expect(lines.map((line) => line.split(':')[0]).sort()).toEqual(Object.keys(without).sort());
      for (const line of lines) expect(line).toMatch(/: expected /);
    }
  });

  test.each([
    ['API_PORT', '80a'],
    ['API_PORT', '65536'],
    ['API_KEYS', 'hunter2'],
    ['API_KEYS', `hunter2:hunter2:admin:${SHA}`],
    ['API_KEYS', 'hunter2:hunter2:read:abc'],
    ['API_KEYS', `hunter2:read:${SHA}`],
    ['API_KEYS', `hunter2:an hunter2:read:${SHA}`],
    ['API_KEYS', `hunter2:one:read:${SHA},hunter2:two:read:${SHA_2}`],
    ['API_KEYS', `hunter2:one:read:${SHA},hunter3:two:read:${SHA}`],
    ['API_KEYS', `hunter2:one:operate:${SHA_OF_NOTHING}`],
    ['WEBHOOK_VERIFIER', 'hunter2'],
    ['WEBHOOK_SECRETS', 'hunter2,,'],
    ['WEBHOOK_TOLERANCE_SECONDS', '-1'],
    ['WEBHOOK_PATIENCE_SECONDS', 'hunter2'],
    ['WEBHOOK_UNAVAILABLE', 'hunter2'],
    ['WEBHOOK_SIGNATURE_HEADER', 'hunter2 header'],
    ['WEBHOOK_REQUEST_ID_HEADER', 'hunter2 header'],
    ['PAYMENTS_AUTH_URL', 'ftp://hunter2'],
    ['OAUTH_REDIRECT_URI', 'hunter2'],
    ['OAUTH_SCOPES', 'hunter2 offline_access'],
    ['TOKEN_PUBLIC_KEY', 'hunter2'],
    ['SESSION_KEYS', 'hunter2'],
    ['CONSENT_CONFIRMATION', 'hunter2'],
    ['RETURN_URLS', 'hunter2'],
    ['RETURN_URLS', 'https://app.test/done?hunter2'],
    ['RETURN_URLS', 'https://hunter2@app.test/done'],
    ['RETURN_URLS', 'hunter2:alert(1)'],
    ['ENCRYPTION_KEYS', 'hunter2'],
    ['ENCRYPTION_KEYS', 'k1:U0VDUkVU'],
    ['ENCRYPTION_KEYS', [1, 2].map((byte) => `k1:${Buffer.alloc(32, byte).toString('base64')}`).join()],
    ['TEMPORAL_UI_URL', 'hunter2'],
    ['HIGH_RISK_MCC', '7995,hunter2'],
    ['PRIMARY_CLIENT_MCC', '799'],
    ['CODEC_ORIGINS', '*'],
    ['CODEC_ORIGINS', 'null'],
    ['CODEC_ORIGINS', 'hunter2.test:8233'],
    ['CODEC_ORIGINS', 'https://hunter2.test/'],
    ['CODEC_ORIGINS', 'https://hunter2.test:443'],
    ['CODEC_ORIGINS', 'https://a:hunter2@b.test'],
    ['CODEC_ORIGINS', 'https://*.hunter2.test'],
    ['CODEC_ORIGINS', 'https://b.test,https://hunter2.test/ui'],
    ['CODEC_ORIGINS', 'ftp://hunter2.test'],
  ])('refuse %s=%s in one line without quoting the value', (name, value) => {
    const lines = refusedLines({ [name]: value });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^${name}: .*expected`));
    expect(lines[0]).not.toContain('hunter2');
  });

  test.each(['user:hunter2@temporal:7233', 'http://hunter2:7233'])(
    'refuse the Temporal address %s without quoting it',
    (TEMPORAL_ADDRESS) => {
      const lines = refusedLines({ TEMPORAL_ADDRESS });
      expect(lines).toEqual([expect.stringMatching(/^TEMPORAL_\*: expected .*TEMPORAL_ADDRESS/)]);
      expect(lines.join()).not.toContain('hunter2');
    },
  );

  test('refuse secrets that the verifier cannot use', () => {
    expect(refusedLines({ WEBHOOK_VERIFIER: 'standard', WEBHOOK_SECRETS: 'whsec_' })[0]).toMatch(
      /^WEBHOOK_SECRETS: expected/,
    );
  });
});
