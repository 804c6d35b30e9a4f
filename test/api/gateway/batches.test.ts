import { Client, Connection, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import { createBatchesGateway } from '../../../api/gateway/batches.js';
import { createRecorded } from '../../../api/gateway/records.js';
import { RECORDS_AWAY } from '../../support/records-away.js';
import { createCalls } from '../../../api/gateway/temporal/calls.js';
import { aBatchView } from '../../support/api/builders.js';
import { refusal } from '../../support/api/gateway.js';

test('a batch id of another principal is refused, and none of the rows is started', async () => {
  const client = new Client({ connection: Connection.lazy() });
  const start = vi
    .spyOn(client.workflow, 'start')
    .mockRejectedValue(new WorkflowExecutionAlreadyStartedError('it is there', 'batch/b-1', 'batch'));
  const calls = {
    ...createCalls({ client, taskQueue: 'payto', recorded: createRecorded(RECORDS_AWAY) }),
    read: vi.fn().mockResolvedValue(aBatchView({ id: 'b-1' })),
  };
  const gateway = createBatchesGateway(calls, () => Promise.resolve('acme'));
  const batch = { id: 'b-1', kind: 'payments', connection: undefined, isDryRun: false, rows: [] } as const;
  const request = { ...batch, caller: { principal: 'another', connections: undefined } };
  const refused = await refusal(gateway.start(request));
  expect(refused).toEqual({ code: 'idempotency_conflict', pointers: ['/id'] });
  await expect(gateway.start(request)).rejects.toThrow('Another caller has already used');
  expect(start).toHaveBeenCalledTimes(2);
});
