// Has what the provider pushed audited now, of one connection or of all, as their schedules do once a day.
// Usage: npm run audit -- [connection]; in a container: node dist/worker/audit.js
import { parseArgs } from 'node:util';
import { Client, Connection, ScheduleNotFoundError } from '@temporalio/client';
import { auditId } from '../workflows/audit/contract.js';
import { connectionIdOf } from '../workflows/connection/contract.js';
import { readRunsConfig } from './config.js';
import { reasonOf } from './reason.js';
import { ofThisDeployment } from './sweeps.js';

/** @returns whether there was an audit to begin. */
async function begin(temporal: Client, connectionId: string): Promise<boolean> {
  const id = auditId(connectionId);
  try {
    await temporal.schedule.getHandle(id).trigger('SKIP');
    console.log(`${id} begins; its report stands under Schedules in Temporal's UI`);
    return true;
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    console.error(`audit: expected a schedule ${id}; met none (no consent yet, or AUDIT_INTERVAL_HOURS=0)`);
    return false;
  }
}

async function beginAll(temporal: Client, taskQueue: string): Promise<boolean> {
  let isBegun = true;
  for await (const { workflowId } of temporal.workflow.list({ query: ofThisDeployment(taskQueue) }))
    isBegun = (await begin(temporal, connectionIdOf(workflowId))) && isBegun;
  return isBegun;
}

function stopWith(problems: readonly string[]): never {
  for (const problem of problems) console.error(`audit: ${problem}`);
  process.exit(1);
}

const [only] = parseArgs({ allowPositionals: true }).positionals;
const config = readRunsConfig();
if ('problems' in config) stopWith(config.problems);
const { namespace, address, connectionOptions } = config.temporal;
try {
  const connection = await Connection.connect(connectionOptions.reveal());
  const temporal = new Client({ connection, namespace });
  const isBegun = only === undefined ? beginAll(temporal, config.TASK_QUEUE) : begin(temporal, only);
  process.exitCode = (await isBegun) ? 0 : 1;
  await connection.close();
} catch (error) {
  stopWith([`TEMPORAL_ADDRESS: ${namespace} at ${address} did not answer as expected; ${reasonOf(error)}`]);
}
