import { describe, expect, test, onTestFinished } from 'vitest';
import { parseWebhookSecrets, verifyWith } from '../../api/webhook-secrets.js';
import { NOW } from '../support/api/app.js';
import { signed } from '../support/api/builders.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertTokensApart, readConfig } from '../../api/config.js';
import { keysOf, webhookVerifierOf } from '../../api/watched-secrets.js';
import { parseKeyring } from '../../sealing/keyring.js';
import { printPublicKey, publicKeyOf } from '../../sealing/public-key.js';
import { createLogger } from '../../telemetry/logger.js';
import { API } from '../support/environments.js';

const SCHEME = {
  verifier: 'hmac',
  secrets: ['app'],
  signatureHeader: 'Service-Signature',
  toleranceSeconds: 300,
} as const;
const of = (name: string) => `${name}-${'x'.repeat(16)}`;
const LINES = ['# merchants', `acme:${of('one')}`, `acme:${of('two')}`, `other:${of('three:3')}`];
const verifiers = parseWebhookSecrets([...LINES, `*:${of('rotated')}`, ''].join('\n'), SCHEME);
const verify = verifyWith(() => verifiers);
const BODY = '{"data":{}}';
const verdictOf = (secret: string, connection: string | undefined) => {
  const headers = new Headers(signed(BODY, secret, NOW));
  return verify(Buffer.from(BODY), (name) => headers.get(name), NOW, connection);
};

describe('a webhook secret', () => {
  test.each([
    ['app', undefined, undefined],
    ['app', 'acme', undefined],
    ['app', 'unknown', undefined],
    [of('rotated'), 'acme', undefined],
    [of('one'), 'acme', 'acme'],
    [of('two'), 'acme', 'acme'],
    [of('three:3'), 'other', 'other'],
  ])('%s proves a webhook to %s as one of the connection %s', (secret, path, connection) => {
    const verdict = verdictOf(secret, path);
    expect(verdict).toMatchObject({ ok: true, authenticatesBody: true });
    expect(verdict.connection).toBe(connection);
  });

  test.each([
    [of('one'), undefined],
    [of('one'), 'other'],
    [of('one'), 'unknown'],
    [of('three'), 'other'],
  ])('%s of one connection proves nothing at the path %s', (secret, path) => {
    expect(verdictOf(secret, path)).toEqual({ ok: false, why: 'mismatch' });
  });

  test.each([
    ['acme', 'connection:secret'],
    ['acme:', 'connection:secret'],
    ['a b:hunter2', 'connection:secret'],
    ['acme:hunter2 and more', 'connection:secret'],
    ['acme:hunter2', 'at least 16 characters'],
  ])('is refused in the form %j', (line, expected) => {
    const parse = () => parseWebhookSecrets(`ok:${of('fine')}\n${line}`, SCHEME);
    expect(parse).toThrow(new RegExp(`^expected ${expected} .*entry 2`));
  });

  test('of the application may be missing if connections have their own', () => {
    const { application, ofConnections } = parseWebhookSecrets(`acme:${of('one')}`, {
      ...SCHEME,
      secrets: [],
    });
    expect([application, [...ofConnections.keys()]]).toEqual([undefined, ['acme']]);
    const none = verifyWith(() => ({ application, ofConnections }));
    expect(none(Buffer.from(BODY), () => undefined, NOW, undefined)).toEqual({ ok: false, why: 'mismatch' });
  });

  test('must suit the verifier', () => {
    const parse = () =>
      parseWebhookSecrets('acme:hunter2!hunter2!hunter2!', { ...SCHEME, verifier: 'standard' });
    expect(parse).toThrow(/^expected secrets of acme that the verifier standard can use$/);
  });
});

const log = createLogger('api', { write: () => undefined });
const PUBLISHED = 'db6bcf6a2a36ee93dafa7dfcdc40973da39f2e2843e4c6f76e08aefc767b0caa';

async function aFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'payto-secrets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'secrets'), text);
  return join(folder, 'secrets');
}

test.each(['API_KEYS_FILE', 'WEBHOOK_SECRETS_FILE'] as const)(
  'the published secrets of the sandbox are refused in %s, except with INSECURE_SANDBOX=on',
  async (name) => {
    const text = {
      API_KEYS_FILE: `a:a:read:${PUBLISHED.toUpperCase()}`,
      WEBHOOK_SECRETS_FILE: '*:sandbox-webhook-secret',
    };
    const given = { ...API, [name]: await aFile(text[name]) };
    const read = (variables: typeof given) => {
      const config = readConfig(variables);
      return [keysOf(config, log, Date.now)(), webhookVerifierOf(config, log)];
    };
    expect(() => read(given)).toThrow(`${name}: expected a secret of your own`);
    expect(() => read({ ...given, INSECURE_SANDBOX: 'on' } as typeof given)).not.toThrow();
  },
);

test('an API key of the file ends at its time', async () => {
  const until = Date.parse('2027-01-31T00:00:00Z');
  const path = await aFile(`a:a:read:${'1'.repeat(64)};until=2027-01-31T00:00:00Z`);
  const config = readConfig({ ...API, API_KEYS_FILE: path });
  const idsAt = (now: number) => keysOf(config, log, () => now)().map(({ id }) => id);
  expect([idsAt(until - 1), idsAt(until)]).toEqual([['ops', 'a'], ['ops']]);
});

test.each(['ENCRYPTION_KEYS', 'SESSION_KEYS'] as const)(
  'TOKEN_PUBLIC_KEY of a key in %s is refused, because the API would open every token',
  async (name) => {
    await assertTokensApart(readConfig(API));
    const TOKEN_PUBLIC_KEY = printPublicKey(await publicKeyOf(parseKeyring(API[name])));
    await expect(assertTokensApart(readConfig({ ...API, TOKEN_PUBLIC_KEY }))).rejects.toThrow(
      new RegExp(`^TOKEN_PUBLIC_KEY: .* a key of ${name}`),
    );
  },
);
