import { expect, test } from 'vitest';
import { MIGRATIONS } from '../../../records/migrations/all.js';

test('each migration works with a schema no newer than itself, and no older than the migration before it', () => {
  let before = '';
  for (const [name, { oldest }] of Object.entries(MIGRATIONS)) {
    expect([name, oldest <= name, oldest >= before]).toEqual([name, true, true]);
    before = oldest;
  }
});
