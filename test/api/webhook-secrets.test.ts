import { describe, expect, test } from 'vitest';
import { parseWebhookSecrets, verifyWith } from '../../api/webhook-secrets.js';
import { createVerifier } from '../../payments-api/webhook.js';
import { NOW } from '../support/api/app.js';
import { signed } from '../support/api/builders.js';

const SCHEME = { verifier: 'hmac', signatureHeader: 'Service-Signature', toleranceSeconds: 300 } as const;
const ofConnections = parseWebhookSecrets('# merchants\nacme:one\nacme:two\nother:three:3\n', SCHEME);
const verify = verifyWith(createVerifier({ ...SCHEME, secrets: ['app'] }), () => ofConnections);
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
    ['one', 'acme', 'acme'],
    ['two', 'acme', 'acme'],
    ['three:3', 'other', 'other'],
  ])('%s proves a webhook to %s as one of the connection %s', (secret, path, connection) => {
    const verdict = verdictOf(secret, path);
    expect(verdict).toMatchObject({ ok: true, authenticatesBody: true });
    expect(verdict.connection).toBe(connection);
  });

  test.each([
    ['one', undefined],
    ['one', 'other'],
    ['one', 'unknown'],
    ['three', 'other'],
  ])('%s of one connection proves nothing at the path %s', (secret, path) => {
    expect(verdictOf(secret, path)).toEqual({ ok: false, why: 'mismatch' });
  });

  test.each(['acme', 'acme:', 'a b:hunter2', 'acme:hunter2 and more'])(
    'is refused in the form %j',
    (line) => {
      const parse = () => parseWebhookSecrets(`ok:fine\n${line}`, SCHEME);
      expect(parse).toThrow('expected connection:secret in entry 2');
    },
  );

  test('must suit the verifier', () => {
    const parse = () => parseWebhookSecrets('acme:hunter2!', { ...SCHEME, verifier: 'standard' });
    expect(parse).toThrow(/^expected secrets of acme that the verifier standard can use$/);
  });
});
