import { afterEach, expect, test, vi } from 'vitest';
import { createConnectionChoice } from '../../../api/gateway/connection-choice.js';
import { createRecorded } from '../../../api/gateway/records.js';
import { connectionWorkflowId } from '../../../workflows/connection/contract.js';
import { RECORDS_AWAY } from '../../support/records-away.js';
import type { Calls } from '../../../api/gateway/temporal/calls.js';
import type { ApiError } from '../../../api/http/problems/errors.js';

const MINUTE = 60_000;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function aChoice() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
  const open = new Set<string>();
  const connectionIds = vi.fn<() => Promise<string[]>>(() => Promise.resolve([...open]));
  const list = vi.fn<() => { workflowId: string }[]>(() =>
    [...open].map((id) => ({ workflowId: connectionWorkflowId(id) })),
  );
  const choice = createConnectionChoice({
    recorded: createRecorded({ ...RECORDS_AWAY, connectionIds }),
    describe: (id: string) => Promise.resolve({ isOpen: open.has(id.replace('connection/', '')) }),
    short: (call: () => Promise<unknown>) => call(),
    client: { workflow: { list } },
  } as unknown as Calls);
  const loseRecords = () => connectionIds.mockRejectedValue(new Error('connect ECONNREFUSED'));
  return { open, list, loseRecords, choose: () => choice.choose(undefined) };
}

test('while the records are away, the last connection counts as long as it is open', async () => {
  const { open, list, loseRecords, choose } = aChoice();
  open.add('acme');
  expect(await choose()).toBe('acme');
  loseRecords();
  vi.advanceTimersByTime(MINUTE);
  expect(await choose()).toBe('acme');
  expect(list).not.toHaveBeenCalled();
  vi.advanceTimersByTime(MINUTE);
  open.delete('acme');
  open.add('other');
  expect(await choose()).toBe('other');
});

test('while the records are away, Temporal lists the connections if none was found before', async () => {
  const { open, loseRecords, choose } = aChoice();
  loseRecords();
  await expect(choose()).rejects.toMatchObject({ code: 'connection_required' });
  open.add('acme');
  expect(await choose()).toBe('acme');
});

test('a connection does not count any more once several were seen', async () => {
  const { open, loseRecords, choose } = aChoice();
  open.add('acme');
  await choose();
  vi.advanceTimersByTime(MINUTE);
  open.add('other');
  await expect(choose()).rejects.toMatchObject({ code: 'connection_required' });
  loseRecords();
  await expect(choose()).rejects.toMatchObject({ code: 'connection_required' });
});

test.each([
  ['has ended', { isOpen: false }, undefined, 'acme'],
  ['only the records know', undefined, { id: 'acme' }, 'acme'],
  ['never existed', undefined, undefined, 'connection_unknown'],
])('payments of a connection that %s: a stop names it, or is refused', async (_is, run, row, expected) => {
  const recorded = createRecorded({ ...RECORDS_AWAY, row: () => Promise.resolve(row as never) });
  const choice = createConnectionChoice({ recorded, describe: () => Promise.resolve(run) } as never);
  const chosen = choice.chooseStarted('acme').catch((error: unknown) => (error as ApiError).code);
  expect(await chosen).toBe(expected);
});
