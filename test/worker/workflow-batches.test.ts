import { QueryNotRegisteredError, type Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { READS_FIRST } from '../../workflows/contracts/every-workflow.js';
import { batchesOf } from '../../worker/workflow-batches.js';

/** INVALID_ARGUMENT */
const FAILED_QUERY = 3;

/** Each run answers the query with its id, or an error. */
function aClient(runs: readonly [workflowId: string, runId: string, error?: Error][]): Client {
  const queries = new Map(
    runs.map(([, runId, error]) => [
      runId,
      () => (error === undefined ? Promise.resolve(runId) : Promise.reject(error)),
    ]),
  );
  return {
    connection: { withDeadline: (_: number, call: () => Promise<unknown>) => call() },
    workflow: {
      list: () => runs.map(([workflowId, runId]) => ({ workflowId, runId })),
      getHandle: (_: string, runId: string) => ({ query: queries.get(runId) }),
    },
  } as unknown as Client;
}

test('a run that waits for its record does not keep the records incomplete; one without an answer does', async () => {
  const waits = new QueryNotRegisteredError(READS_FIRST, FAILED_QUERY);
  const client = aClient([
    ['payment/a', 'a2', waits],
    ['payment/a', 'a1'],
    ['payment/b', 'b1', waits],
    ['payment/c', 'c2', new QueryNotRegisteredError('[TMPRL1100] Nondeterminism error', FAILED_QUERY)],
    ['payment/c', 'c1'],
    ['payment/d', 'd2'],
    ['payment/d', 'd1'],
  ]);
  const unanswered: string[] = [];
  const batches: unknown[] = [];
  for await (const batch of batchesOf(client, (id) => unanswered.push(id))) batches.push(batch);
  expect(batches).toEqual(['a1', undefined, 'd2']);
  expect(unanswered).toEqual(['payment/c']);
});
