// Starts the audit of webhooks now, for one connection or for all. Schedules do the same every 15 minutes.
// Usage: npm run audit -- [connection]; in a container: node dist/worker/audit.js
import { parseArgs } from 'node:util';
import { ScheduleNotFoundError, type Client } from '@temporalio/client';
import { auditId } from '../workflows/audit/contract.js';
import { connectionIdOf } from '../workflows/connection/contract.js';
import { runCommand } from './command.js';
import { ofThisDeployment } from './sweeps.js';

const NAME = 'audit';

/** @returns true if there was an audit schedule to trigger. */
async function begin(temporal: Client, connectionId: string): Promise<boolean> {
  const id = auditId(connectionId);
  try {
    await temporal.schedule.getHandle(id).trigger('SKIP');
    console.log(`${id} started; its report appears under Schedules in Temporal's UI`);
    return true;
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    console.error(`${NAME}: no schedule ${id} (no consent yet, or AUDIT_INTERVAL_HOURS=0)`);
    return false;
  }
}

async function beginAll(temporal: Client, taskQueue: string): Promise<boolean> {
  let isStarted = true;
  for await (const { workflowId } of temporal.workflow.list({ query: ofThisDeployment(taskQueue) }))
    isStarted = (await begin(temporal, connectionIdOf(workflowId))) && isStarted;
  return isStarted;
}

const [only] = parseArgs({ allowPositionals: true }).positionals;
await runCommand(NAME, (temporal, taskQueue) =>
  only === undefined ? beginAll(temporal, taskQueue) : begin(temporal, only),
);
