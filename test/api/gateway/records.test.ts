// The API answers from the records or from the workflow, from the one that is newer.
import { expect, test, vi } from 'vitest';
import { createRecorded } from '../../../api/gateway/records.js';
import { ApiError } from '../../../api/http/problems/errors.js';
import { NO_PROGRESS } from '../../../records/progress.js';
import { SealError } from '../../../sealing/keyring.js';
import { RECORDS_AWAY } from '../../support/records-away.js';
import type { RecordReader } from '../../../records/read.js';

const OF = { resource: 'payment', uid: 'pay-1' } as const;
const START_MS = 1_790_000_000_000;

function aWorld() {
  const time = { now: START_MS };
  const row = vi.fn<RecordReader['row']>(() => Promise.resolve({ version: START_MS * 1000, view: 'row' }));
  const fromWorkflow = vi.fn<() => Promise<string | undefined>>(() => Promise.resolve('workflow'));
  const progress = { ...NO_PROGRESS, isStale: vi.fn(() => false) };
  const remembered = vi.fn<RecordReader['remembered']>(() => Promise.resolve(undefined));
  const reader = { ...RECORDS_AWAY, row, remembered };
  const recorded = createRecorded(reader, { nowMs: () => time.now, progress });
  const read = () => recorded.view(OF, fromWorkflow);
  return { time, progress, row, remembered, fromWorkflow, recorded, read };
}

test('a stored row answers without its workflow', async () => {
  const { read, fromWorkflow } = aWorld();
  expect(await read()).toBe('row');
  expect(fromWorkflow).not.toHaveBeenCalled();
});

test('after an update the row counts only once it is as new', async () => {
  const { time, read, row, recorded } = aWorld();
  time.now += 1;
  recorded.updated('payment/pay-1');
  expect(await read()).toBe('workflow');
  row.mockResolvedValue({ version: (START_MS + 2) * 1000, view: 'newer row' });
  expect(await read()).toBe('newer row');
});

test('a resource without a row, or with a forgotten workflow, is answered from the other', async () => {
  const { read, row, fromWorkflow, recorded } = aWorld();
  row.mockResolvedValueOnce(undefined);
  expect(await read()).toBe('workflow');
  recorded.updated('payment/pay-1');
  fromWorkflow.mockResolvedValue(undefined);
  expect(await read()).toBe('row');
  row.mockResolvedValue(undefined);
  expect(await read()).toBeUndefined();
});

test('a resource whose record has expired is gone, and its uid cannot be used again', async () => {
  const { read, row, remembered, recorded, fromWorkflow } = aWorld();
  row.mockResolvedValue(undefined);
  remembered.mockResolvedValue({ is: 'gone', why: 'expired', since: '2026-11-01T00:00:00.000Z' });
  await expect(read()).rejects.toMatchObject({ code: 'gone' });
  await expect(recorded.assertNotGone(OF)).rejects.toMatchObject({ code: 'gone' });
  expect(fromWorkflow).not.toHaveBeenCalled();
  remembered.mockRejectedValue(new Error('connect ECONNREFUSED'));
  await expect(recorded.assertNotGone(OF)).resolves.toBeUndefined();
});

test('for two minutes after a failure the workflow answers, and lists fail with the reason', async () => {
  const { time, read, row, remembered, recorded, fromWorkflow } = aWorld();
  row.mockRejectedValueOnce(new Error('connect ECONNREFUSED'));
  expect(await read()).toBe('workflow');
  expect(await read()).toBe('workflow');
  expect(row).toHaveBeenCalledOnce();
  fromWorkflow.mockResolvedValueOnce(undefined);
  remembered.mockResolvedValueOnce({ is: 'row', version: 1, state: 'settled', view: { of: 'a row' } });
  expect(await read()).toEqual({ of: 'a row' });
  fromWorkflow.mockResolvedValueOnce(undefined);
  remembered.mockRejectedValueOnce(new Error('connect ECONNREFUSED'));
  await expect(read()).rejects.toMatchObject({ code: 'records_unavailable' });
  time.now += 2 * 60_000;
  expect(await read()).toBe('row');
  const list = recorded.ask(({ count }) => count('payment', {}));
  await expect(list).rejects.toMatchObject({ code: 'records_unavailable' });
  await expect(list).rejects.toThrow('the test has no records');
});

test('a row whose key is missing is an error and not an outage', async () => {
  const { read, row } = aWorld();
  row.mockRejectedValueOnce(new SealError('unknown_key', 'no key'));
  await expect(read()).rejects.toThrow(SealError);
});

test('a row that may be old is read from its workflow, but not for half a minute after three had no answer', async () => {
  const { time, read, progress, fromWorkflow } = aWorld();
  progress.isStale.mockReturnValue(true);
  expect(await read()).toBe('workflow');
  fromWorkflow.mockRejectedValue(new ApiError('worker_unavailable', 'no worker'));
  expect([await read(), await read(), await read(), await read()]).toEqual(['row', 'row', 'row', 'row']);
  expect(fromWorkflow).toHaveBeenCalledTimes(4);
  time.now += 30_000;
  fromWorkflow.mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error('a fault of ours'));
  expect(await read()).toBe('row');
  await expect(read()).rejects.toThrow('a fault of ours');
});

test('a slow list does not send reads of single resources to workflows', async () => {
  const { read, recorded, fromWorkflow } = aWorld();
  await expect(recorded.ask(() => Promise.reject(new Error('Query read timeout')))).rejects.toThrow(
    /timeout/,
  );
  expect(await read()).toBe('row');
  expect(fromWorkflow).not.toHaveBeenCalled();
});
