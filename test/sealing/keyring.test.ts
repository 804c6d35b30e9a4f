import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SealError, open, parseKeyring, seal } from '../../sealing/keyring.js';

const key = (): string => randomBytes(32).toString('base64');
const [one, two] = [key(), key()];
const keyring = parseKeyring(`one:${one}`);
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.+/=';
const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    return error instanceof SealError ? error.code : undefined;
  }
  return undefined;
};

describe('sealing', () => {
  test('property: sealed text opens in its context and is unreadable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 4 }), fc.string(), (text, context) => {
        const sealed = seal(keyring, text, context);
        expect(open(keyring, sealed, context)).toBe(text);
        expect(sealed).not.toContain(text);
      }),
      { numRuns: 500 },
    );
  });

  test.each([0, 1, 2, 3].map((more) => 'a token'.padEnd(7 + more)))(
    'property: a sealed %j with any changed letter is refused',
    (text) => {
      const sealed = seal(keyring, text, 'here');
      const changes = fc.tuple(fc.nat(sealed.length - 1), fc.constantFrom(...LETTERS));
      fc.assert(
        fc.property(
          fc.oneof(changes, fc.tuple(fc.constant(sealed.length - 1), fc.constantFrom(...LETTERS))),
          ([at, other]) => {
            const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
            fc.pre(changed !== sealed);
            expect(['not_authentic', 'malformed', 'unknown_key']).toContain(
              codeOf(() => open(keyring, changed, 'here')),
            );
          },
        ),
        { numRuns: 500 },
      );
    },
  );

  test('another context is refused', () => {
    expect(
      codeOf(() => open(keyring, seal(keyring, 'x', 'connection/a/access/1'), 'connection/b/access/1')),
    ).toBe('not_authentic');
  });

  test('a new first key seals, and the old key still opens', () => {
    const old = seal(keyring, 'x', 'c');
    const rotated = parseKeyring(`two:${two},one:${one}`);
    expect(open(rotated, old, 'c')).toBe('x');
    expect(seal(rotated, 'x', 'c')).toMatch(/^v1\.two\./);
  });

  test('a missing key is refused as unknown_key', () => {
    expect(codeOf(() => open(parseKeyring(`two:${two}`), seal(keyring, 'x', 'c'), 'c'))).toBe('unknown_key');
  });

  test.each(['', 'v1', 'v1.one', 'v1.one.', 'v1.one.AAAA', 'v2.one.AAAA', 'a token in clear'])(
    '%j is not sealed text',
    (text) => {
      expect(codeOf(() => open(keyring, text, 'c'))).toBe('malformed');
    },
  );

  test('the same text is sealed differently each time', () => {
    expect(seal(keyring, 'x', 'c')).not.toBe(seal(keyring, 'x', 'c'));
  });

  test.each([
    ['an empty text', ''],
    ['a key without a name', one],
    ['a short key', `one:${randomBytes(16).toString('base64')}`],
    ['a name with a space', `o ne:${one}`],
    ['an empty entry', `one:${one},`],
  ])('%s is refused as a keyring, without the key in the error', (_name, value) => {
    expect(() => parseKeyring(value)).toThrow(/expected kid:base64key/);
    expect(() => parseKeyring(value)).not.toThrow(new RegExp(one.slice(0, 12).replaceAll('+', '\\+')));
  });

  test('a keyring with a duplicate name is refused', () => {
    for (const value of [`one:${one},one:${two}`, `one:${one},two:${two},one:${one}`]) {
      expect(() => parseKeyring(value)).toThrow(
        'expected a different name (kid) for each key; found a duplicate. Rename the unused one',
      );
    }
  });
});
