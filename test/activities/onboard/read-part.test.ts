import { Client, Connection } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test, vi } from 'vitest';
import { readPartActivity } from '../../../activities/onboard/read-part.js';
import { startPartActivity } from '../../../activities/onboard/start-part.js';
import { aMandate, anAgreementView } from '../../support/api/builders.js';
import { NO_RECORDS } from '../../support/no-records.js';
import type { Records } from '../../../activities/dependencies.js';
import type { PartOutcome, PartRequest } from '../../../activities/onboard/request.js';

test('an onboarding claims the uid of an agreement that only an event has named, and then follows it', async () => {
  const temporal = new Client({ connection: Connection.lazy() });
  const mandate = aMandate();
  let view = anAgreementView({ requestedMandate: undefined, mandate: undefined, connectionId: 'acme' });
  const handle = Object.assign(temporal.workflow.getHandle('agreement/agr-1'), {
    query: () => Promise.resolve(view),
    describe: () => Promise.resolve({ status: { name: 'RUNNING' } }),
    executeUpdate: () => Promise.resolve((view = { ...view, requestedMandate: mandate })),
    signal: () => Promise.resolve(),
  });
  vi.spyOn(temporal.workflow, 'getHandle').mockReturnValue(handle);
  const taken = new WorkflowExecutionAlreadyStartedError('started', 'agreement/agr-1', 'agreement');
  vi.spyOn(temporal.workflow, 'start').mockRejectedValue(taken);
  const visibility = { list: vi.fn(), acquire: () => Promise.resolve() };
  const readPart = readPartActivity(
    { temporal, taskQueue: 'payto', now: () => 0, records: NO_RECORDS },
    visibility,
  );
  const input = { uid: 'agr-1', connectionId: 'acme', mandate };
  const part = { part: 'agreement', uid: 'agr-1', reportTo: 'onb', checksInitiator: false, input } as const;
  await expect(new MockActivityEnvironment().run(readPart, part)).rejects.toThrow('just started');
  expect(await readPart(part)).toEqual({});
});

/** An onboarding's look at an agreement without a run. */
function forgotten(remembered: Records['remembered']) {
  const temporal = new Client({ connection: Connection.lazy() });
  const none = () => Promise.reject(new WorkflowNotFoundError('none', 'agreement/agr-1', undefined));
  const handle = Object.assign(temporal.workflow.getHandle('agreement/agr-1'), {
    ...{ query: none, describe: none, signal: none },
  });
  vi.spyOn(temporal.workflow, 'getHandle').mockReturnValue(handle);
  const start = vi.spyOn(temporal.workflow, 'start').mockResolvedValue(handle as never);
  const signalWithStart = vi.spyOn(temporal.workflow, 'signalWithStart').mockResolvedValue(handle as never);
  const deps = { temporal, taskQueue: 'payto', now: () => 0, records: { ...NO_RECORDS, remembered } };
  const readPart = readPartActivity(deps, { list: vi.fn(), acquire: () => Promise.resolve() });
  const run = (requested: PartRequest) =>
    new MockActivityEnvironment().run<[PartRequest], PartOutcome, typeof readPart>(readPart, requested);
  return { start, signalWithStart, readPart: run, startPart: startPartActivity(deps) };
}
const input = { uid: 'agr-1', connectionId: 'acme', mandate: aMandate() };
const part: PartRequest = { part: 'agreement', uid: 'agr-1', reportTo: 'onb', checksInitiator: false, input };
const rowOf = (state: 'cancelled' | 'pending') => {
  const view = anAgreementView({ requestedMandate: aMandate(), connectionId: 'acme', state });
  return () => Promise.resolve({ is: 'row', version: 1, state, view } as const);
};
const away = () => Promise.reject(new Error('away'));

test('a forgotten part is not started, and ends the step with its outcome', async () => {
  const { start, signalWithStart, readPart, startPart } = forgotten(rowOf('cancelled'));
  expect(await startPart(part)).toBe(false);
  expect(await readPart(part)).toMatchObject({ reading: { state: 'cancelled' } });
  expect(start).not.toHaveBeenCalled();
  expect(signalWithStart).not.toHaveBeenCalled();
});

test('a forgotten part without an outcome continues from its record, and reports', async () => {
  const { start, signalWithStart, readPart } = forgotten(rowOf('pending'));
  expect(await readPart(part)).toEqual({});
  expect(signalWithStart.mock.calls[0]?.[1]).toMatchObject({
    args: [{ uid: 'agr-1', readsRecord: true }],
    signal: 'reportTo',
    signalArgs: [{ workflowId: 'onb' }],
  });
  expect(start).not.toHaveBeenCalled();
});

test('while the records are away, a part starts unchecked, and one that must exist waits', async () => {
  const { start, readPart, startPart } = forgotten(away);
  expect(await startPart(part)).toBe(false);
  expect(await readPart(part)).toEqual({});
  expect(start.mock.calls[0]?.[1]).toMatchObject({ args: [{ uid: 'agr-1', isUnchecked: true }] });
  await expect(readPart({ part: 'client', uid: 'cli-1', reportTo: 'onb' })).rejects.toThrow('do not tell');
});
