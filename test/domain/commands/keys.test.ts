import { expect, test } from 'vitest';
import {
  droppedUses,
  freeUse,
  applyUse,
  repeatOfUse,
  useOf,
  type KeyRegister,
} from '../../../domain/commands/key-use.js';
import fc from 'fast-check';
import { refusalId, requestId, resolutionId } from '../../../domain/commands/ids.js';

const USE = { key: 'k', uid: 'p', body: 'b' };

test.each([
  [USE, 'same'],
  [{ ...USE, uid: 'p-2' }, 'other'],
  [{ ...USE, body: 'b-2' }, 'other'],
  [{ ...USE, key: 'k-2' }, 'none'],
  [undefined, 'none'],
])('the use %o of a key register is %s', (use, repeat) => {
  expect(repeatOfUse({ uses: [USE] }, use)).toBe(repeat);
});

test('a refused request frees its own key only, although a command of the agreement has the same uid', () => {
  const command = { ...USE, key: 'suspend' };
  expect(freeUse({ uses: [command, USE] }, USE)).toEqual({ uses: [command] });
  expect(freeUse({ uses: [command] }, undefined)).toEqual({ uses: [command] });
});

test('a key use is identified by its request, in any field order', () => {
  const body = { reason: 'customer_requested', narrative: 'Asked' };
  const turned = { narrative: body.narrative, reason: body.reason };
  const register = applyUse({}, useOf('k', 'agr', { kind: 'suspension', body }));
  expect(repeatOfUse(register, useOf('k', 'agr', { body: turned, kind: 'suspension' }))).toBe('same');
  expect(repeatOfUse(register, useOf('k', 'agr', { kind: 'cancellation', body }))).toBe('other');
});

test('a register keeps the newest 1500 uses without duplicates, and counts those that it drops', () => {
  const uses = Array.from({ length: 1501 }, (_, n) => ({ ...USE, key: `k-${n}` }));
  const register = uses.reduce<KeyRegister>(applyUse, { uses: [USE] });
  expect(register).toEqual({ uses: uses.slice(1), usesOlder: 2 });
  const before = { uses: uses.slice(0, 1500), usesOlder: 1 };
  expect(droppedUses(before, applyUse(before, uses[1500]))).toEqual([uses[0]]);
  expect(droppedUses(before, freeUse(before, uses[0]))).toEqual([]);
  expect(applyUse(register, uses[7])).toBe(register);
});

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
