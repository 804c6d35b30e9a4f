import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refusalId, requestId, resolutionId } from '../../../domain/commands/ids.js';

const IDS = { requestId, refusalId, resolutionId };
const anId = fc
  .constantFrom('requestId', 'refusalId', 'resolutionId')
  .map((name) => ({ name, idOf: IDS[name] }));
const aKey = fc.array(fc.constantFrom('a', '/', '%', '2F', 'refused', 'command', 'resolution', ' '), {
  maxLength: 5,
});

test('ids of different keys, or of different facts about a key, never collide', () => {
  fc.assert(
    fc.property(anId, aKey, anId, aKey, (one, key, other, otherKey) => {
      const [mine, theirs] = [key.join(''), otherKey.join('')];
      const isSame = one.name === other.name && mine === theirs;
      expect(one.idOf(mine) === other.idOf(theirs)).toBe(isSame);
    }),
    { numRuns: 3000 },
  );
});
