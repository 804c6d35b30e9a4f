import { expect, test } from 'vitest';
import { carry, carrying, upgrade } from '../../../workflows/contracts/upgrade.js';

test('a state carried within one release is unchanged', () => {
  const state = { uid: 'a', facts: [{ id: 1 }] };
  expect(upgrade(carry(state))).toEqual(state);
});

test('a carried state receives only its missing upgrades, in order', () => {
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

test('a state carried by a newer release is refused', () => {
  const newer = carrying([(state) => state]);
  expect(() => carrying([]).upgrade(newer.carry({ uid: 'a' }))).toThrow(
    'a newer release carried state of shape 1; this release supports shape 0 or older',
  );
});
