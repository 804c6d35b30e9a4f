import { createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { derive, SealError, type Keyring } from '../../../sealing/keyring.js';

const key = createSecretKey(randomBytes(32));
const keyring: Keyring = [
  { id: 'new', key: createSecretKey(randomBytes(32)) },
  { id: 'old', key },
];

test('a derived secret depends on the key and context, not on the key order', () => {
  const secret = derive(keyring, 'old', 'a');
  expect(secret).toHaveLength(32);
  expect(derive([{ id: 'old', key }], 'old', 'a')).toEqual(secret);
});

test('another key or context gives another secret', () => {
  const secrets = [derive(keyring, 'old', 'a'), derive(keyring, 'old', 'b'), derive(keyring, 'new', 'a')];
  expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(3);
});

test('a derived secret follows HKDF and differs from the key', () => {
  const expected = Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), 'derive/1/a', 32));
  expect(derive(keyring, 'old', 'a')).toEqual(expected);
  expect(expected).not.toEqual(key.export());
});

test('the error for a missing key contains only its name', () => {
  expect(() => derive(keyring, 'gone', 'a')).toThrow(
    new SealError('unknown_key', 'no key named gone is configured'),
  );
});
