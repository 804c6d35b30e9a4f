import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../worker/config.js';
import { refusedLines, GOOD } from '../support/environments.js';

const { OAUTH_CLIENT_SECRET: SECRET, ...REST } = GOOD;

async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'payto-settings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'secret');
  await writeFile(path, text);
  return path;
}

describe('a secret in a file', () => {
  test('is read without its last line break', async () => {
    const { OAUTH_CLIENT_SECRET, temporal } = readConfig({
      ...REST,
      OAUTH_CLIENT_SECRET_FILE: await fileWith(`${SECRET}\n`),
      TEMPORAL_API_KEY_FILE: await fileWith('of-the-cloud\n'),
    });
    expect(OAUTH_CLIENT_SECRET.reveal()).toBe(SECRET);
    expect(temporal.connectionOptions.reveal()).toMatchObject({ apiKey: 'of-the-cloud' });
  });

  test.each(['', '/nowhere'])('is missing if the file is empty or does not exist (%j)', async (path) => {
    const file = { OAUTH_CLIENT_SECRET_FILE: path || (await fileWith('')) };
    expect(refusedLines(() => readConfig({ ...REST, ...file }))).toEqual([
      'OAUTH_CLIENT_SECRET_FILE: expected a readable file that is not empty',
      'OAUTH_CLIENT_SECRET: expected the client secret of the registered application',
    ]);
  });

  test('is refused beside its variable', async () => {
    const both = { ...GOOD, OAUTH_CLIENT_SECRET_FILE: await fileWith(SECRET) };
    expect(refusedLines(() => readConfig(both))).toEqual([
      'OAUTH_CLIENT_SECRET_FILE: expected either OAUTH_CLIENT_SECRET or OAUTH_CLIENT_SECRET_FILE',
    ]);
  });
});

const keyOf = (bytes: Buffer): string => `k:${bytes.toString('base64')}`;

describe('a dangerous setting', () => {
  test.each([
    ['PAYMENTS_API_URL', 'http://api.example', /^PAYMENTS_API_URL: expected https/],
    ['PAYMENTS_AUTH_URL', 'http://127.0.0.1.example', /^PAYMENTS_AUTH_URL: expected https/],
    ['AUDIT_WEBHOOK_URL', 'http://10.0.0.7/webhooks', /^AUDIT_WEBHOOK_URL: expected https/],
    ['OAUTH_CLIENT_SECRET', 'fifteen letters', /^OAUTH_CLIENT_SECRET: expected at least 16/],
    ['OAUTH_CLIENT_SECRET', 'sandbox-client-secret', /^OAUTH_CLIENT_SECRET: .* published for the sandbox/],
    ['RECORDS_URL', 'postgres://payto:sandbox@127.0.0.1/payto', /^RECORDS_URL: .* published/],
    [
      'RECORDS_URL',
      'postgres://payto:pass@db.example.com/payto?sslmode=disable',
      /^RECORDS_URL: expected sslmode=verify-full/,
    ],
    [
      'RECORDS_LISTEN_URL',
      'postgres://payto:pass@10.0.0.7/payto?sslmode=disable',
      /^RECORDS_LISTEN_URL: .*ALLOW_PLAINTEXT_TO/,
    ],
    ['TEMPORAL_ADDRESS', 'temporal.example.com:7233', /^TEMPORAL_ADDRESS: .*TEMPORAL_TLS=true/],
    ['TEMPORAL_ADDRESS', 'localhost.example:7233', /^TEMPORAL_ADDRESS: .*TEMPORAL_TLS=true/],
    ['TOKEN_KEYS', GOOD.ENCRYPTION_KEYS, /^TOKEN_KEYS: expected no key of ENCRYPTION_KEYS/],
    [
      'TOKEN_KEYS',
      `${GOOD.TOKEN_KEYS},${GOOD.ENCRYPTION_KEYS.replace('k:', 'renamed:')}`,
      /^TOKEN_KEYS: expected no key of ENCRYPTION_KEYS/,
    ],
    ['TOKEN_KEYS', keyOf(Buffer.alloc(32)), /^TOKEN_KEYS: expected random keys/],
    [
      'ENCRYPTION_KEYS',
      `${GOOD.ENCRYPTION_KEYS},${keyOf(Buffer.alloc(32, 7)).replace('k:', 'k2:')}`,
      /^ENCRYPTION_KEYS: expected random keys/,
    ],
    [
      'ENCRYPTION_KEYS',
      keyOf(Buffer.from('not secret: the key of a sandbox')),
      /^ENCRYPTION_KEYS: .* published/,
    ],
  ])('%s=%s is refused except with INSECURE_SANDBOX=on', (name, value, line) => {
    const given = { ...GOOD, [name]: value };
    expect(refusedLines(() => readConfig(given))).toEqual([expect.stringMatching(line)]);
    expect(() => readConfig({ ...given, INSECURE_SANDBOX: 'on' })).not.toThrow();
  });

  test.each([
    { TEMPORAL_ADDRESS: 'localhost:7233' },
    { TEMPORAL_ADDRESS: '[::1]:7233' },
    { TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_TLS: 'true' },
    { TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_API_KEY: 'of-the-cloud' },
    { TEMPORAL_ADDRESS: 'temporal:7233', ALLOW_PLAINTEXT_TO: 'postgres, temporal' },
    { RECORDS_URL: 'postgres://payto:pass@postgres/payto?sslmode=disable', ALLOW_PLAINTEXT_TO: 'postgres' },
    { RECORDS_URL: 'postgres://payto:pass@[::1]/payto?sslmode=disable' },
  ])('is none: %j', (given) => {
    expect(() => readConfig({ ...GOOD, ...given })).not.toThrow();
  });

  test('is an API key of Temporal without TLS, and a host beside the named one', () => {
    const open = { TEMPORAL_API_KEY: 'of-the-cloud', TEMPORAL_TLS: 'false', ALLOW_PLAINTEXT_TO: 'other' };
    expect(
      refusedLines(() => readConfig({ ...GOOD, TEMPORAL_ADDRESS: 'temporal.example:7233', ...open })),
    ).toEqual([expect.stringMatching(/^TEMPORAL_ADDRESS: expected TLS/)]);
  });

  test.each(['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1', 'https://api.example'])(
    'is none: %s',
    (url) => {
      expect(() => readConfig({ ...GOOD, PAYMENTS_API_URL: url })).not.toThrow();
    },
  );
});
