import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseApiKeys } from '../../../api/http/api-key-entries.js';

const SHA = createHash('sha256').update('a key').digest('hex');
const entry = (limits = '') => `a:b:read:${SHA}${limits}`;

describe('an entry of an API key', () => {
  test('may name connections and an end', () => {
    expect(parseApiKeys([entry(';connections=acme+other.x;until=2027-01-31')])).toMatchObject([
      {
        id: 'a',
        principal: 'b',
        scopes: ['read'],
        connections: ['acme', 'other.x'],
        until: Date.UTC(2027, 0, 31),
      },
    ]);
    expect(parseApiKeys([entry(';until=2027-01-31T10:00Z')])[0]?.until).toBe(Date.UTC(2027, 0, 31, 10));
    expect(parseApiKeys([entry()])[0]).not.toHaveProperty('connections');
  });

  test.each([';connections=a;connections=b', ';until=2027-01-31;connections=a;until=2028-01-31'])(
    'is refused with a limit that it names twice: %s',
    (limits) => {
      expect(() => parseApiKeys([entry(limits)])).toThrow(/expected each limit once .* of the key a/);
    },
  );

  test.each([
    ';',
    ';connections=',
    ';connections=a++b',
    ';until=',
    ';until=2027-13-01',
    ';until=tomorrow',
    ';x=y',
  ])('is refused with %j, which is not quoted', (limits) => {
    expect(() => parseApiKeys([entry(limits)])).toThrow(/expected ;connections=.* of the key a/);
    expect(() => parseApiKeys([entry(limits)])).not.toThrow(SHA);
  });
});
