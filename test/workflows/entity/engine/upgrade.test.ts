import { expect, test } from 'vitest';
import { carry, carrying, upgrade } from '../../../../workflows/entity/engine/upgrade.js';

test('comes out as it went in, within one release', () => {
  const state = { uid: 'a', facts: [{ id: 1 }] };
  expect(upgrade(carry(state))).toEqual(state);
});

test('gets the upgrades that it has not had, in their order, and no other', () => {
  const releases = [
    carrying([]),
    carrying([(state) => ({ ...state, steps: ['first'] })]),
    carrying([
      (state) => ({ ...state, steps: ['first'] }),
      (state) => ({ ...state, steps: ['steps' in state ? state.steps : 'none', 'second'] }),
    ]),
  ];
  const newest = releases[2];
  expect(releases.map((release) => newest?.upgrade(release.carry({ uid: 'a' })))).toEqual([
    { uid: 'a', steps: [['first'], 'second'] },
    { uid: 'a', steps: ['none', 'second'] },
    { uid: 'a' },
  ]);
});

test('is refused where a newer release carried it', () => {
  const newer = carrying([(state) => state]);
  expect(() => carrying([]).upgrade(newer.carry({ uid: 'a' }))).toThrow(
    'expected a state of shape 0 or older; a newer release carried 1',
  );
});
