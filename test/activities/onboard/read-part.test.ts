import { Client, Connection } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test, vi } from 'vitest';
import { readPartActivity } from '../../../activities/onboard/read-part.js';
import { aMandate, anAgreementView } from '../../support/api/builders.js';
import { NO_RECORDS } from '../../support/no-records.js';

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
