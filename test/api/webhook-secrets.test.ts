import { describe, expect, test } from 'vitest';
import { parseWebhookSecrets, verifyWith } from '../../api/webhook-secrets.js';
import { NOW } from '../support/api/app.js';
import { signed } from '../support/api/builders.js';

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
