// The gate between API calls and webhooks.
import { expect, test } from 'vitest';
import { createOpenCalls } from '../../sandbox/http/open-calls.js';

test('waits for the calls that are open, not for those that begin later', async () => {
  const calls = createOpenCalls();
  const end = calls.begin();
  const seen: string[] = [];
  const answered = calls.answered().then(() => seen.push('answered'));
  calls.begin();
  await Promise.resolve();
  expect(seen).toEqual([]);
  end();
  await answered;
  expect(seen).toEqual(['answered']);
});
