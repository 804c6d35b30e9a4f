import { vi } from 'vitest';
import { createStatement } from '../../../domain/float/statement.js';
import { aFloatAccountView, aNotificationView, anUnmatchedCreditView } from './builders.js';
import type { Gateway } from '../../../api/gateway/create.js';

export const floatDoors = () => ({
  floatAccounts: {
    view: vi.fn<Gateway['floatAccounts']['view']>((uid) => Promise.resolve(aFloatAccountView({ uid }))),
    list: vi.fn<Gateway['floatAccounts']['list']>(() => Promise.resolve({ items: [], next: undefined })),
    entries: vi.fn<Gateway['floatAccounts']['entries']>(() => Promise.resolve([])),
    statement: vi.fn<Gateway['floatAccounts']['statement']>(() =>
      Promise.resolve({ ...createStatement([]).end(), readAt: undefined }),
    ),
    acknowledge: vi.fn<Gateway['floatAccounts']['acknowledge']>((uid) =>
      Promise.resolve(aFloatAccountView({ uid })),
    ),
    requestReading: vi.fn<Gateway['floatAccounts']['requestReading']>((uid, { from }) =>
      Promise.resolve(aFloatAccountView({ uid, reading: { from, since: '2026-10-01T02:00:00.000Z' } })),
    ),
  },
  unmatchedCredits: {
    view: vi.fn<Gateway['unmatchedCredits']['view']>((uid) =>
      Promise.resolve(anUnmatchedCreditView({ uid })),
    ),
    list: vi.fn<Gateway['unmatchedCredits']['list']>(() => Promise.resolve({ items: [], next: undefined })),
    candidates: vi.fn<Gateway['unmatchedCredits']['candidates']>(() => Promise.resolve([])),
    duplicates: vi.fn<Gateway['unmatchedCredits']['duplicates']>(() => Promise.resolve([])),
    resolve: vi.fn<Gateway['unmatchedCredits']['resolve']>((uid, resolution) =>
      Promise.resolve(
        anUnmatchedCreditView({
          ...{
            uid,
            state: resolution.decision,
            resolution: { ...resolution, at: '2026-10-01T02:00:00.000Z' },
          },
        }),
      ),
    ),
  },
  notifications: {
    view: vi.fn<Gateway['notifications']['view']>((uid) => Promise.resolve(aNotificationView({ uid }))),
    list: vi.fn<Gateway['notifications']['list']>(() => Promise.resolve({ items: [], next: undefined })),
    acknowledge: vi.fn<Gateway['notifications']['acknowledge']>((uid, given) =>
      Promise.resolve(
        aNotificationView({
          ...{ uid, state: 'acknowledged', acknowledgement: { ...given, at: '2026-10-01T02:00:00.000Z' } },
        }),
      ),
    ),
  },
  journal: {
    read: vi.fn<Gateway['journal']['read']>(async function* () {
      yield await Promise.resolve({ postings: [], balances: [], totals: [] });
    }),
  },
  settlement: {
    expected: vi.fn<Gateway['settlement']['expected']>(async function* () {
      yield await Promise.resolve([]);
    }),
    report: vi.fn<Gateway['settlement']['report']>(() => Promise.resolve(undefined)),
    reconcile: vi.fn<Gateway['settlement']['reconcile']>(() =>
      Promise.resolve({
        ...{ from: '2026-09-30T14:00:00.000Z', until: '2026-10-01T14:00:00.000Z' },
        ...{ reports: [], compared: [], exceptions: [], float: [] },
      }),
    ),
  },
});
