import { expect, test } from 'vitest';
import { offsetOf } from '../../../activities/sweep/schedule.js';

const AN_HOUR = 3_600_000;
const EVERY = 6 * AN_HOUR;

test('each connection has a stable sweep offset, and offsets are spread over all hours', () => {
  const all = () => Array.from({ length: 200 }, (_, index) => offsetOf(`con-${index}`, EVERY));
  const offsets = all();
  expect(all()).toEqual(offsets);
  expect(offsets.every((offset) => offset >= 0 && offset < EVERY && offset % 1000 === 0)).toBe(true);
  const byHour = new Set(offsets.map((offset) => Math.floor(offset / AN_HOUR)));
  expect([...byHour].sort()).toEqual([0, 1, 2, 3, 4, 5]);
});
