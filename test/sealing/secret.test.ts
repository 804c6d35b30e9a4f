import { expect, test, describe } from 'vitest';
import { format, inspect } from 'node:util';
import { secretOf, type Secret } from '../../sealing/secret.js';
import { createHash } from 'node:crypto';
import { readConfig as readApiConfig } from '../../api/config.js';
import { readConfig as readWorkerConfig } from '../../worker/config.js';
import { A_PUBLIC_KEY } from '../support/sealing/keyrings.js';
import { NOWHERE } from '../support/records.js';

const SECRET = 'whsec-very-secret';

test('a secret is revealed on request', () => {
  expect(secretOf(SECRET).reveal()).toBe(SECRET);
});

test.each<[string, (box: Secret) => string]>([
  ['JSON', (box) => JSON.stringify({ box })],
  ['a template', (box) => `${String(box)}`],
  ['inspect', (box) => inspect(box)],
  ['inspect without custom inspection', (box) => inspect(box, { customInspect: false, showHidden: true })],
  ['inspect at depth', (box) => inspect({ a: { b: { box } } }, { depth: null, getters: true })],
  ['format', (box) => format('%s %o %O %j %d', box, box, box, box, box)],
  ['its properties', (box) => JSON.stringify(Object.entries({ ...box }).map(String))],
])('a secret is hidden from %s', (_printer, print) => {
  const printed = print(secretOf(SECRET));
  expect(printed).not.toContain(SECRET);
});

test.each<[string, (box: Secret) => string]>([
  ['JSON', (box) => JSON.stringify(box)],
  ['a string', String],
  ['inspect', (box) => inspect(box)],
])('a secret is shown as [secret] by %s', (_printer, print) => {
  expect(print(secretOf(SECRET))).toMatch(/^"?\[secret\]"?$/);
});

test('a secret cannot be cloned into another thread', () => {
  expect(() => structuredClone(secretOf(SECRET))).toThrow(/could not be cloned/);
});

const KEY = Buffer.alloc(32, 'MARKER-of-the-key');
const OTHER_KEYS = [1, 2].map((byte) => Buffer.alloc(32, `MARKER-of-the-key${byte}`));
const SHA = createHash('sha256').update('MARKER').digest();
const GIVEN = {
  TEMPORAL_ADDRESS: 'temporal.test:7233',
  TEMPORAL_API_KEY: 'MARKER-temporal',
  TEMPORAL_TLS_CLIENT_CERT_DATA: 'MARKER-certificate',
  TEMPORAL_TLS_CLIENT_KEY_DATA: 'MARKER-tls-key',
  PAYMENTS_API_URL: 'https://api.example',
  PAYMENTS_AUTH_URL: 'https://auth.example',
  OAUTH_CLIENT_ID: 'us',
  OAUTH_CLIENT_SECRET: 'MARKER-client-secret',
  OAUTH_REDIRECT_URI: 'https://us.example/oauth/callback',
  OAUTH_SCOPES: 'pay_to_agreements',
  RECORDS_URL: NOWHERE,
  ENCRYPTION_KEYS: `k1:${KEY.toString('base64')}`,
  TOKEN_KEYS: `k1:${OTHER_KEYS[0]?.toString('base64')}`,
  SESSION_KEYS: `k1:${OTHER_KEYS[1]?.toString('base64')}`,
  TOKEN_PUBLIC_KEY: A_PUBLIC_KEY,
  API_KEYS: `ops:ops:operate:${SHA.toString('hex')}`,
  WEBHOOK_VERIFIER: 'hmac',
  WEBHOOK_SECRETS: 'MARKER-one-of-the-secrets,MARKER-two-of-the-secrets',
};

const SHOWN = [KEY, ...OTHER_KEYS, SHA, Buffer.from('MARKER')].flatMap((bytes) => [
  ...(['utf8', 'hex', 'base64'] as const).map((encoding) => bytes.toString(encoding)),
  [...bytes].slice(0, 6).join(','),
  [...bytes]
    .slice(0, 6)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join(' '),
]);

describe.each<[string, () => object]>([
  ['worker', () => readWorkerConfig(GIVEN)],
  ['api', () => readApiConfig(GIVEN)],
])('configuration of the %s', (_room, read) => {
  test.each<[string, (config: object) => string]>([
    ['JSON', (config) => JSON.stringify(config)],
    ['inspect', (config) => inspect(config, { depth: null })],
    [
      'a full inspect',
      (config) =>
        inspect(config, { depth: null, showHidden: true, customInspect: false, maxArrayLength: null }),
    ],
    ['format', (config) => format('%s %o %O %j', config, config, config, config)],
    ['a copy', (config) => JSON.stringify(Object.entries({ ...config }))],
  ])('is shown by %s without secrets', (_how, show) => {
    const config = read();
    const text = show(config);
    expect(text).toContain('k1');
    for (const secret of SHOWN) expect(text.replaceAll(/\s+/g, ' ')).not.toContain(secret);
  });
});

test('each secret of a configuration can be revealed', () => {
  const worker = readWorkerConfig(GIVEN);
  expect(worker.OAUTH_CLIENT_SECRET.reveal()).toBe('MARKER-client-secret');
  expect(worker.ENCRYPTION_KEYS[0].key.export()).toEqual(KEY);
  expect(worker.temporal.connectionOptions.reveal()).toMatchObject({ apiKey: 'MARKER-temporal' });
  const api = readApiConfig(GIVEN);
  expect(api.WEBHOOK_SECRETS?.map((secret) => secret.reveal())).toEqual([
    'MARKER-one-of-the-secrets',
    'MARKER-two-of-the-secrets',
  ]);
  expect(api.API_KEYS?.[0]?.sha256.reveal()).toEqual(SHA);
});
