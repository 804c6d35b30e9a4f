import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { parseKeyring } from '../../sealing/keyring.js';

const ROOT = join(import.meta.dirname, '..', '..');
const keys = () => execa('npm', ['run', '-s', 'keys'], { cwd: ROOT });

test('npm run keys prints only the key on standard output', async () => {
  const [one, two] = await Promise.all([keys(), keys()]);
  expect(one.stdout).toMatch(/^20\d\d-\d\d-\d\d-[0-9a-f]{6}:[A-Za-z0-9+/]{43}=$/);
  expect(one.stderr).toMatch(/ENCRYPTION_KEYS/);
  expect(one.stderr).not.toContain(one.stdout.split(':')[1]);

  const [first, second] = [one.stdout, two.stdout].map((line) => parseKeyring(line)[0]);
  expect(first?.id).not.toBe(second?.id);
  expect(first?.key.export()).not.toEqual(second?.key.export());
});
