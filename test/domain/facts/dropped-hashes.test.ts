import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_HASHES, addDropped, isDropped } from '../../../domain/facts/dropped-hashes.js';

const ids = Array.from({ length: MAX_HASHES + 1000 }, (_, index) => `${index}/${randomUUID()}`);

test('the newest ids are recognised without false matches', () => {
  const hashes = addDropped(addDropped(undefined, ids.slice(0, 3000)), ids.slice(3000));
  expect(hashes).toHaveLength(MAX_HASHES);
  expect(new Set(hashes).size).toBe(MAX_HASHES);
  expect(ids.map((id) => isDropped(hashes, id))).toEqual(ids.map((_, index) => index >= 1000));
  expect(isDropped(undefined, 'a')).toBe(false);
});

test('a hash is short and stable across releases', () => {
  expect(addDropped([], ['', 'event-000001'])).toMatchInlineSnapshot(`
    [
      "1ps9wxbi90v2v",
      "13syepbsecj93",
    ]
  `);
});
