import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { parseApiKeys } from '../../api/http/api-key-entries.js';
import { isMistyped, keyWithSecret } from '../../api/http/api-keys.js';
import { parseKeyring } from '../../sealing/keyring.js';
import { openSealedTo, parsePublicKey, sealTo } from '../../sealing/public-key.js';

const ROOT = join(import.meta.dirname, '..', '..');
const keys = (...args: string[]) =>
  execa('npm', ['run', '-s', 'keys', '--', ...args], { cwd: ROOT, reject: false });

test('npm run keys prints only the key on standard output', async () => {
  const [one, two] = await Promise.all([keys(), keys()]);
  expect(one.stdout).toMatch(/^20\d\d-\d\d-\d\d-[0-9a-f]{6}:[A-Za-z0-9+/]{43}=$/);
  expect(one.stderr).toMatch(/ENCRYPTION_KEYS/);
  expect(one.stderr).not.toContain(one.stdout.split(':')[1]);

  const [first, second] = [one.stdout, two.stdout].map((line) => parseKeyring(line)[0]);
  expect(first?.id).not.toBe(second?.id);
  expect(first?.key.export()).not.toEqual(second?.key.export());
});

test('npm run keys -- token prints a key of workers with its public key', async () => {
  const { stdout, stderr } = await keys('token');
  const [, key = '', publicKey = ''] = /^TOKEN_KEYS=(.+)\nTOKEN_PUBLIC_KEY=(.+)$/.exec(stdout) ?? [];
  const sealed = await sealTo(parsePublicKey(publicKey), 'a code', 'here');
  expect(await openSealedTo(parseKeyring(key), sealed, 'here')).toBe('a code');
  expect(stderr).not.toContain(key.split(':')[1]);
  expect(await keys('tokens')).toMatchObject({ exitCode: 2, stdout: '' });
});

test('npm run keys -- api prints a key for scanners and its entry', async () => {
  const { stdout } = await keys(
    ...['api', '--principal', 'billing', '--scopes', 'read+write'],
    ...['--connections', 'acme+other', '--until', '2027-01-31'],
  );
  const [key = '', entry = ''] = stdout.split('\n');
  expect(key).toMatch(/^payto_[0-9a-f]{72}$/);
  expect(isMistyped(key)).toBe(false);
  const [parsed] = parseApiKeys([entry]);
  expect(parsed).toMatchObject({
    principal: 'billing',
    scopes: ['read', 'write'],
    connections: ['acme', 'other'],
    until: Date.UTC(2027, 0, 31),
  });
  expect(parsed && keyWithSecret([parsed], key)).toBe(parsed);
  const refused = await keys('api', '--principal', 'billing', '--scopes', 'admin');
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain('expected --scopes');
});
