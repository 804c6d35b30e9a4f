import { expect, test } from 'vitest';
import { carriedWithFlag, otherUnderUid, withFlag } from '../../../domain/records/conflict.js';

const flag = otherUnderUid('unmatched-credit', '2026-11-01T02:03:04.000Z');

test('the flag is added to a view of any form, and to the state that a later run needs', () => {
  expect(flag.detail).toMatch(/^Another unmatched credit was/);
  for (const view of [{}, [], 7, null, { attention: 'none' }])
    expect(withFlag(view, flag).attention).toEqual([flag]);
  const own = { ...flag, detail: 'Events disagree.' };
  expect(withFlag({ attention: [own] }, flag)).toEqual({ attention: [own] });
  expect(carriedWithFlag({ shape: 1, state: { is: 'x' } }, flag)).toEqual({
    shape: 1,
    state: { is: 'x', attention: [flag] },
  });
  expect(carriedWithFlag({ shape: 1 }, flag)).toEqual({ shape: 1 });
});
