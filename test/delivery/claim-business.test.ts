import { Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import type { RecordMemory, Remembered } from '../../domain/records/remembered.js';
import { claimBusiness } from '../../delivery/claim-business.js';

const CONNECTION = 'acme';
const order = { australian_business_number: '53004085616' };

const NO_ROW: RecordMemory = { remembered: () => Promise.resolve(undefined) };

function owned(status: string | undefined, state?: string, records = NO_ROW) {
  const client = new Client();
  const taken = new WorkflowExecutionAlreadyStartedError(
    'taken',
    'registration/acme/53004085616',
    'registration',
  );
  vi.spyOn(client.workflow, 'start').mockRejectedValue(taken);
  const claims = vi.fn<(update: unknown, options: object) => Promise<string>>();
  claims.mockResolvedValueOnce('first').mockResolvedValue('second');
  const handle = {
    executeUpdate: claims,
    describe: () =>
      status === undefined
        ? Promise.reject(new WorkflowNotFoundError('none', 'client/first', undefined))
        : Promise.resolve({ status: { name: status }, runId: 'run' }),
    result: () => Promise.resolve({ state }),
  };
  vi.spyOn(client.workflow, 'getHandle').mockReturnValue(handle as never);
  return {
    claims,
    claim: () =>
      claimBusiness({ client, taskQueue: 'q' }, { connectionId: CONNECTION, order, uid: 'second' }, records),
  };
}

test('an owner that failed to register is replaced', async () => {
  const { claims, claim } = owned('COMPLETED', 'failed');
  expect(await claim()).toBe('second');
  expect(claims.mock.calls.map(([, options]) => options)).toEqual([
    { args: [{ uid: 'second' }] },
    { args: [{ uid: 'second', insteadOf: 'first' }] },
  ]);
});

test.each([
  ['ended with an unknown outcome', 'COMPLETED', 'unresolved'],
  ['is running', 'RUNNING', undefined],
  ['was terminated', 'TERMINATED', undefined],
  ['has not started yet', undefined, undefined],
])('an owner that %s keeps its business', async (_name, status, state) => {
  const { claims, claim } = owned(status, state);
  expect(await claim()).toBe('first');
  expect(claims).toHaveBeenCalledTimes(1);
});

test('a party without a business number needs no owner', async () => {
  const claimed = { connectionId: CONNECTION, order: {}, uid: 'one' };
  expect(await claimBusiness({ client: new Client(), taskQueue: 'q' }, claimed, NO_ROW)).toBe('one');
});

const row = (state: string): Remembered => ({ is: 'row', version: 1, state, view: {} });
const gone: Remembered = { is: 'gone', why: 'expired', since: '2026-01-01T00:00:00.000Z' };
test.each([
  ['failed', row('failed'), 'second'],
  ['expired', gone, 'second'],
  ['registered', row('off_boarded'), 'first'],
])('an owner that Temporal has forgotten is judged by its record: %s', async (_name, found, owner) => {
  const { claim } = owned(undefined, undefined, { remembered: () => Promise.resolve(found) });
  expect(await claim()).toBe(owner);
});

test('a forgotten owner is not judged while the records are away', async () => {
  const remembered = () => Promise.reject(new Error('away'));
  const { claims, claim } = owned(undefined, undefined, { remembered });
  await expect(claim()).rejects.toThrow('away');
  expect(claims).toHaveBeenCalledTimes(1);
});
