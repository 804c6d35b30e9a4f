import { expect, test, vi } from 'vitest';
import { findRepairRows } from '../../../api/gateway/repair-rows.js';
import type { Recorded } from '../../../api/gateway/records.js';
import { aPaymentView } from '../../support/api/builders.js';

const NEXT = { value: '2026-11-12', uid: 'pay-1' };
const listOf = (...uids: string[][]) => {
  const list = vi.fn(({ after }: { after?: unknown }) => {
    const items = uids[after === undefined ? 0 : 1] ?? [];
    return Promise.resolve({
      items: items.map((uid) => aPaymentView({ uid, state: 'failed' })),
      next: after === undefined && uids.length > 1 ? NEXT : undefined,
    });
  });
  return { list: (_: string, request: object) => list(request) } as unknown as Pick<Recorded, 'list'>;
};

test('all pages of the filter become rows', async () => {
  const { retries } = findRepairRows(listOf(['pay-1'], ['pay-2']));
  expect((await retries({ code: 'AM04' })).map(({ row }) => row.uid)).toEqual(['pay-1', 'pay-2']);
});

test('a filter that matches more than the limit is refused, and says so', async () => {
  const { retries } = findRepairRows(listOf(['pay-1'], ['pay-2']), { most: 1 });
  await expect(retries({ code: 'AM04' })).rejects.toMatchObject({
    ...{ code: 'invalid_request', errors: [{ pointer: '/filter' }] },
    detail: expect.stringContaining('more than 1 resources') as string,
  });
});
