import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SealError, open, parseKeyring, seal } from '../../sealing/keyring.js';

const key = (): string => randomBytes(32).toString('base64');
const [one, two] = [key(), key()];
const keyring = parseKeyring(`one:${one}`);
const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    return error instanceof SealError ? error.code : undefined;
  }
  return undefined;
};

describe('sealing', () => {
  test('property: what is sealed opens in its own context, and tells nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 4 }), fc.string(), (text, context) => {
        const sealed = seal(keyring, text, context);
        expect(open(keyring, sealed, context)).toBe(text);
        expect(sealed).not.toContain(text);
      }),
      { numRuns: 500 },
    );
  });

  test('property: any changed byte is refused', () => {
    const sealed = seal(keyring, 'a token', 'here');
    const start = sealed.lastIndexOf('.') + 1;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: sealed.length - start - 2 }),
        fc.constantFrom('A', 'b', '7', '_'),
        (at, other) => {
          const changed = sealed.slice(0, start + at) + other + sealed.slice(start + at + 1);
          fc.pre(changed !== sealed);
          expect(codeOf(() => open(keyring, changed, 'here'))).toBe('not_authentic');
        },
      ),
    );
  });

  test('another context is refused, so that nothing sealed can be passed off as something else', () => {
    expect(
      codeOf(() => open(keyring, seal(keyring, 'x', 'connection/a/access/1'), 'connection/b/access/1')),
    ).toBe('not_authentic');
  });

  test('a new key in front seals, and the old one still opens', () => {
    const old = seal(keyring, 'x', 'c');
    const rotated = parseKeyring(`two:${two},one:${one}`);
    expect(open(rotated, old, 'c')).toBe('x');
    expect(seal(rotated, 'x', 'c')).toMatch(/^v1\.two\./);
  });

  test('a key that is gone is named', () => {
    expect(codeOf(() => open(parseKeyring(`two:${two}`), seal(keyring, 'x', 'c'), 'c'))).toBe('unknown_key');
  });

  test.each(['', 'v1', 'v1.one', 'v1.one.', 'v1.one.AAAA', 'v2.one.AAAA', 'a token in clear'])(
    '%j is not sealed',
    (text) => {
      expect(codeOf(() => open(keyring, text, 'c'))).toBe('malformed');
    },
  );

  test('the same text is sealed anew each time', () => {
    expect(seal(keyring, 'x', 'c')).not.toBe(seal(keyring, 'x', 'c'));
  });

  test.each([
    ['nothing', ''],
    ['a key without a name', one],
    ['a short key', `one:${randomBytes(16).toString('base64')}`],
    ['a name with a space', `o ne:${one}`],
    ['an empty entry', `one:${one},`],
  ])('%s makes no keyring, and the complaint does not quote it', (_name, value) => {
    expect(() => parseKeyring(value)).toThrow(/expected kid:base64key/);
    expect(() => parseKeyring(value)).not.toThrow(new RegExp(one.slice(0, 12).replaceAll('+', '\\+')));
  });
});
