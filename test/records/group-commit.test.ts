import { expect, test } from 'vitest';
import { inGroups } from '../../records/group-commit.js';
import { unanswered } from '../support/workflows/virtual.js';

function someGroups(atMost = 10) {
  const groups: { items: readonly string[]; answer: () => void; fail: () => void }[] = [];
  const add = inGroups<string, string>({
    keyOf: ([key = '']) => key,
    atMost,
    store: (items) => {
      const { answer, open, fail } = unanswered<string[]>();
      groups.push({
        items,
        answer: () => open(items.map((item) => `${item} stored`)),
        fail: () => fail(new Error('away')),
      });
      return answer;
    },
  });
  const groupsOf = () => groups.map(({ items }) => items);
  return { add, groups, groupsOf };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('what arrives while a group is stored forms the next one, in the order of the keys, each key once', async () => {
  const { add, groups, groupsOf } = someGroups();
  const answers = ['c1', 'b1', 'c2', 'a1', 'c3'].map(add);
  expect(groupsOf()).toEqual([['c1']]);
  groups[0]?.answer();
  await settled();
  expect(groupsOf()).toEqual([['c1'], ['a1', 'b1', 'c2']]);
  groups[1]?.answer();
  await settled();
  groups[2]?.answer();
  expect(await Promise.all(answers)).toEqual(['c1', 'b1', 'c2', 'a1', 'c3'].map((item) => `${item} stored`));
});

test('a group that fails rejects its own items only', async () => {
  const { add, groups } = someGroups();
  const [first, second] = [add('a1'), add('b1')];
  groups[0]?.fail();
  await expect(first).rejects.toThrow('away');
  groups[1]?.answer();
  expect(await second).toBe('b1 stored');
});

test('a group has a limit', async () => {
  const { add, groups, groupsOf } = someGroups(2);
  const answers = ['a1', 'b1', 'c1', 'd1'].map(add);
  for (let at = 0; at < 3; at += 1) {
    groups[at]?.answer();
    await settled();
  }
  expect(groupsOf()).toEqual([['a1'], ['b1', 'c1'], ['d1']]);
  await Promise.all(answers);
});
