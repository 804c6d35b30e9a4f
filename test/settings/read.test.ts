import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../worker/config.js';
import { refusedLines } from '../support/refused-lines.js';
import { GOOD } from '../support/worker-environment.js';

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

  test.each(['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1', 'https://api.example'])(
    'is none: %s',
    (url) => {
      expect(() => readConfig({ ...GOOD, PAYMENTS_API_URL: url })).not.toThrow();
    },
  );
});
