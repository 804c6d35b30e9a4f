import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SealError, open, parseKeyring } from '../../sealing/keyring.js';
import {
  openSealedTo,
  parsePublicKey,
  printPublicKey,
  publicKeyOf,
  sealTo,
} from '../../sealing/public-key.js';

const aRing = (id: string) => parseKeyring(`${id}:${randomBytes(32).toString('base64')}`);
const ring = aRing('one');
const publicKey = parsePublicKey(printPublicKey(await publicKeyOf(ring)));
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'opened',
    (error: unknown) => (error instanceof SealError ? error.code : error),
  );

describe('a text sealed to a public key', () => {
  test('opens with the ring of the private key, before and after a rotation', async () => {
    const sealed = await sealTo(publicKey, 'the code', 'here');
    expect(sealed).not.toContain(Buffer.from('the code').toString('base64url'));
    expect(await openSealedTo(ring, sealed, 'here')).toBe('the code');
    expect(await openSealedTo([aRing('two')[0], ...ring], sealed, 'here')).toBe('the code');
    expect(await sealTo(publicKey, 'the code', 'here')).not.toBe(sealed);
  });

  test('does not open elsewhere, with another key, or if changed', async () => {
    const sealed = await sealTo(publicKey, 'the code', 'here');
    const changed = sealed.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const bytes = Buffer.from(sealed.split('.')[2] ?? '', 'base64url');
    bytes[70] = (bytes[70] ?? 0) ^ 1;
    expect(await codeOf(openSealedTo(ring, sealed, 'there'))).toBe('not_authentic');
    expect(await codeOf(openSealedTo(ring, `p1.one.${bytes.toString('base64url')}`, 'here'))).toBe(
      'not_authentic',
    );
    expect(await codeOf(openSealedTo(aRing('one'), sealed, 'here'))).toBe('not_authentic');
    expect(await codeOf(openSealedTo(aRing('two'), sealed, 'here'))).toBe('unknown_key');
    for (const wrong of ['', 'p1.one.AAAA', sealed.replace('p1', 'v1'), `${changed}=`])
      expect(await codeOf(openSealedTo(ring, wrong, 'here'))).toBe('malformed');
    expect(() => open(ring, sealed, 'here')).toThrow(SealError);
  });

  test.each([
    '',
    'one',
    'one:AAAA',
    `one:${Buffer.alloc(65).toString('base64')}`,
    printPublicKey(publicKey).slice(4),
  ])('needs a key in the printed form, not %j', (text) => {
    expect(() => parsePublicKey(text)).toThrow(/npm run -s keys -- token/);
  });
});
