// Each entry of a float account is stored once, and a gap in them is found.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect, test, vi } from 'vitest';
import { followFloatAccountActivity } from '../../../activities/float/follow.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import { aSweepDependencies } from '../../support/a-sweep.js';
import type { FloatEntry } from '../../../domain/float/chain.js';
import type { Records } from '../../../activities/dependencies.js';
import type { FloatProgress, FloatReading, ReadAgain } from '../../../domain/float/account.js';
import type { PaymentsApiErrorCode } from '../../../domain/provider/call-codes.js';
import type { PaymentsApi } from '../../../payments-api/client.js';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const listed = (id: string, minute: number, amount: number, after: number) => ({
  ...{ id, created_at: at(minute), amount, available_balance_after: after, description: `text of ${id}` },
});
type Listed = ReturnType<typeof listed>;

function anAccount(entries: Listed[]) {
  const stored = new Map<string, FloatEntry>();
  let failsAfter = Infinity;
  let failure: PaymentsApiErrorCode = 'unavailable';
  const requests: (string | undefined)[] = [];
  const listFloatAccountEntries: PaymentsApi['listFloatAccountEntries'] = async function* (_id, filter) {
    requests.push(filter.startingAfter);
    const from = entries.findIndex(({ id }) => id === filter.startingAfter) + 1;
    for (const [index, one] of entries.slice(from).entries()) {
      if (index >= failsAfter) throw new PaymentsApiError(failure, 'gone');
      yield await Promise.resolve(one);
    }
  };
  const deps = aSweepDependencies({
    listFloatAccountEntries,
    getFloatAccount: () => Promise.resolve({ id: 'float-1', title: 'Float', status: 'active' }),
  });
  deps.records.storeEntries = vi.fn<Records['storeEntries']>((_account, given) => {
    const fresh = given.filter(({ id }) => !stored.has(id));
    for (const one of fresh) stored.set(one.id, one);
    return Promise.resolve(fresh.length);
  });
  let nowMs = Date.parse(at(1000));
  deps.now = () => nowMs;
  let farReadAt: string | undefined;
  const markRead = (deps.records.markRead = vi.fn<Records['markRead']>((_uid, reading) => {
    if (reading.isFar) farReadAt = reading.at;
    return Promise.resolve();
  }));
  deps.records.farReadAt = () => Promise.resolve(farReadAt);
  deps.records.lastInstantBefore = (_uid, before) =>
    Promise.resolve(
      [...stored.values()]
        .map((one) => one.at)
        .filter((one) => one < before)
        .toSorted()
        .at(-1),
    );
  deps.records.countEntries = () => Promise.resolve(stored.size);
  deps.records.entriesFrom = (_uid, from, limit) =>
    Promise.resolve(
      [...stored.values()]
        .toSorted((a, b) => (`${a.at} ${a.id}` < `${b.at} ${b.id}` ? -1 : 1))
        .filter((one) => `${one.at} ${one.id}` > `${from.at} ${from.afterId}`)
        .slice(0, limit),
    );
  const started: (string | undefined)[] = [];
  vi.spyOn(deps.temporal.workflow, 'start').mockImplementation((_type, { workflowId }) => {
    if (started.includes(workflowId))
      return Promise.reject(
        new WorkflowExecutionAlreadyStartedError('started', workflowId, 'unmatched-credit'),
      );
    started.push(workflowId);
    return Promise.reject(new Error('the test needs no handle')).catch(
      () => deps.temporal.workflow.getHandle(workflowId) as never,
    );
  });
  let left: unknown;
  return {
    stored,
    started,
    markRead,
    records: deps.records,
    requests,
    passHours: (hours: number) => void (nowMs += hours * 3_600_000),
    failAfter: (count: number, code: PaymentsApiErrorCode = 'unavailable') => {
      failsAfter = count;
      failure = code;
    },
    follow: async (progress: FloatProgress = {}, again?: ReadAgain): Promise<FloatReading> => {
      const environment = new MockActivityEnvironment(
        { heartbeatDetails: left },
        { logger: new DefaultLogger('ERROR') },
      );
      environment.on('heartbeat', (details: unknown) => void (left = structuredClone(details)));
      const run = (): Promise<FloatReading> =>
        environment.run(followFloatAccountActivity(deps), {
          ...{ uid: 'float-1', connectionId: 'acme', progress, again },
        });
      const reading = await run();
      left = undefined;
      return reading;
    },
  };
}

const chain = (count: number): Listed[] =>
  Array.from({ length: count }, (_, index) => listed(`e${index}`, index, 1, index + 1)).reverse();

test('stores all entries once, continues after an interruption although the list has changed, and finds later ones', async () => {
  const entries = chain(250);
  const account = anAccount(entries);
  account.failAfter(150);
  await expect(account.follow()).rejects.toMatchObject({ type: 'unavailable' });
  account.failAfter(Infinity);
  entries.unshift(listed('e250', 250, 5, 255));
  const first = await account.follow();
  expect(account.requests).toEqual([undefined, 'e150']);
  expect(first).toMatchObject({ entryCount: 250, isGap: false, breaks: [], progress: { balance: 250 } });

  entries.unshift(listed('late', 249, 0, 250));
  entries.sort((a, b) => b.created_at.localeCompare(a.created_at));
  const second = await account.follow(first.progress);
  expect(second).toMatchObject({
    entryCount: 252,
    breaks: [],
    progress: { balance: 255, newest: { id: 'e250' } },
  });
  expect(account.stored.size).toBe(252);
});

test('a missing entry breaks the chain, and a newest entry that is gone is a gap', async () => {
  const account = anAccount(chain(5).filter(({ id }) => id !== 'e2'));
  const reading = await account.follow();
  expect(reading.breaks).toMatchObject([{ beforeId: 'e1', afterId: 'e3', expected: 2, found: 3 }]);
  const gone = anAccount(chain(3));
  const after = await gone.follow({ isRead: true, newest: { id: 'vanished', at: at(2) } });
  expect(after).toMatchObject({ isGap: true, progress: { newest: { id: 'e2' } } });
  await expect(gone.follow(after.progress)).rejects.toMatchObject({ type: 'nothing_new' });
});

test('an empty account is read once, and an entry without an amount is counted and left out', async () => {
  const empty = anAccount([]);
  const { progress, entryCount } = await empty.follow();
  expect(entryCount).toBe(0);
  await expect(empty.follow(progress)).rejects.toMatchObject({ type: 'nothing_new' });
  const odd = anAccount([{ ...listed('odd', 1, 1, 1), amount: undefined as never }, listed('e0', 0, 1, 1)]);
  expect(await odd.follow()).toMatchObject({ entryCount: 1, unreadable: 1 });
});

test('each look matches entries again, and opens one case for each credit that nothing explains', async () => {
  const account = anAccount(chain(1));
  account.records.matchEntries = vi.fn<Records['matchEntries']>(() => Promise.resolve(0));
  account.records.creditsWithoutCase = vi.fn<Records['creditsWithoutCase']>(() =>
    Promise.resolve(['credit-1', 'not a uid']),
  );
  const { progress } = await account.follow();
  for (let times = 0; times < 2; times += 1)
    await expect(account.follow(progress)).rejects.toMatchObject({ type: 'nothing_new' });
  expect(account.started).toEqual(['unmatched-credit/credit-1']);
  expect(account.records.matchEntries).toHaveBeenCalledTimes(3);
});

test('an account that the provider no longer has stops the reading', async () => {
  const account = anAccount(chain(1));
  account.failAfter(0, 'not_found');
  await expect(account.follow()).rejects.toMatchObject({ type: 'not_found', nonRetryable: true });
});

const UNTIL = '2100-01-01T00:00:00.000Z';

test('an entry that is listed late behind a break is found, also behind many pages, and then the chain has no break', async () => {
  const whole = chain(250);
  const listedNow = whole.filter(({ id }) => id !== 'e7');
  const account = anAccount(listedNow);
  const { progress, breaks } = await account.follow();
  expect(breaks).toMatchObject([{ beforeId: 'e6', afterId: 'e8', at: at(8) }]);
  const again: ReadAgain = {
    ...{ from: progress.beforeBreak?.at, place: progress.beforeBreak },
    ...{ until: UNTIL, brokenAt: ['e8'] },
  };
  for (let times = 0; times < 2; times += 1)
    await expect(account.follow(progress, again)).rejects.toMatchObject({ type: 'nothing_new' });
  listedNow.splice(0, listedNow.length, ...whole);
  await expect(account.follow(progress)).rejects.toMatchObject({ type: 'nothing_new' });
  await expect(account.follow(progress, { ...again, until: at(0) })).rejects.toMatchObject({
    type: 'nothing_new',
  });
  const mended = await account.follow(progress, again);
  expect(mended).toMatchObject({ entryCount: 250, breaks: [], isGap: false, checkedFrom: at(6) });
  expect(mended.progress).toMatchObject({ balance: 250, beforeBreak: undefined });
});

test('a requested reading takes what is missing from its time on, checks from there, and always ends', async () => {
  const account = anAccount(chain(20));
  const { progress } = await account.follow();
  for (const id of ['e5', 'e15']) account.stored.delete(id);
  const request = (from: string | undefined): ReadAgain => ({ from, brokenAt: [] });
  const later = await account.follow(progress, request(at(10)));
  const justAfter8 = new Date(Date.parse(at(8)) + 1).toISOString();
  expect(later).toMatchObject({ entryCount: 19, breaks: [], checkedFrom: justAfter8 });
  expect(await account.follow(progress, request(undefined))).toMatchObject({ entryCount: 20, breaks: [] });
  expect(await account.follow(progress, request(undefined))).toMatchObject({ entryCount: 20 });
});

test('a requested reading just behind a break still finds it', async () => {
  const account = anAccount(chain(20).filter(({ id }) => id !== 'e7'));
  const { progress } = await account.follow();
  const again = await account.follow(progress, { from: at(9), brokenAt: [] });
  expect(again).toMatchObject({ breaks: [{ afterId: 'e8' }] });
});

test('late entries that cancel each other are found within a day, and one of the newest instant at once', async () => {
  const entries = chain(10);
  const account = anAccount(entries);
  const { progress } = await account.follow();
  entries.splice(4, 0, listed('back', 5, -9, 6), listed('credit', 5, 9, 15));
  await expect(account.follow(progress)).rejects.toMatchObject({ type: 'nothing_new' });
  account.passHours(25);
  const found = await account.follow(progress);
  expect(found).toMatchObject({ entryCount: 12, breaks: [] });
  entries.splice(1, 0, listed('twin', 9, 3, 13));
  expect(await account.follow(found.progress)).toMatchObject({ entryCount: 13, breaks: [] });
});

test('an entry that cannot be read leaves the account unread', async () => {
  const account = anAccount([{ ...listed('odd', 1, 1, 1), amount: undefined as never }, ...chain(1)]);
  await account.follow();
  expect(account.markRead).not.toHaveBeenCalled();
});

test('a quiet reading is marked with its start, and one that fails is not', async () => {
  const account = anAccount(chain(3));
  const { progress } = await account.follow();
  await expect(account.follow(progress)).rejects.toMatchObject({ type: 'nothing_new' });
  expect(account.markRead).toHaveBeenCalledTimes(2);
  account.failAfter(0);
  await expect(account.follow(progress)).rejects.toMatchObject({ type: 'unavailable' });
  expect(account.markRead).toHaveBeenCalledTimes(2);
});
