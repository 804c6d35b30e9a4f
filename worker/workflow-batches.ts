// Asks the workflows that Temporal has, open or closed, for what the records should have of them.
import { QueryNotRegisteredError, type Client } from '@temporalio/client';
import { READS_FIRST, getRecord } from '../workflows/contracts/every-workflow.js';
import { RESOURCE_NAMES } from '../domain/resources.js';
import type { RecordBatch } from '../domain/records/batch.js';

/** How long a worker may take to replay a closed workflow. */
const ANSWER_MS = 20_000;

/**
 * The newest run of a workflow answers. If that one still waits for its record, or has found it gone, it has nothing to store, so an older run answers.
 * @returns a batch for each workflow, undefined if it did not answer.
 */
export async function* batchesOf(
  client: Client,
  onUnanswered: (workflowId: string) => void,
): AsyncGenerator<RecordBatch | undefined> {
  const types = RESOURCE_NAMES.map((type) => `'${type}'`).join(', ');
  const done = new Set<string>();
  // Newest run first.
  for await (const { workflowId, runId } of client.workflow.list({ query: `WorkflowType IN (${types})` })) {
    if (done.has(workflowId)) continue;
    const batch = await batchOf(client, workflowId, runId);
    if (batch === 'nothing') continue;
    done.add(workflowId);
    if (batch === undefined) onUnanswered(workflowId);
    yield batch;
  }
}

async function batchOf(
  client: Client,
  workflowId: string,
  runId: string,
): Promise<RecordBatch | 'nothing' | undefined> {
  const run = client.workflow.getHandle(workflowId, runId);
  try {
    return await client.connection.withDeadline(Date.now() + ANSWER_MS, () => run.query(getRecord));
  } catch (error) {
    const isWithoutState = error instanceof QueryNotRegisteredError && error.message.includes(READS_FIRST);
    return isWithoutState ? 'nothing' : undefined;
  }
}
