// How a command for operators reaches Temporal: its settings are read, and whatever is wrong is said in a line each, by its name.
import { Client, Connection } from '@temporalio/client';
import { readRunsConfig } from './config.js';
import { reasonOf } from './reason.js';

/** Ends the process with 1. @param name of the command, as `npm run` knows it. */
export function stopWith(name: string, problems: readonly string[]): never {
  for (const problem of problems) console.error(`${name}: ${problem}`);
  process.exit(1);
}

/** Does the work at the Temporal and on the task queue that are set. The process ends with 0 where it resolves with true, else with 1. */
export async function runCommand(
  name: string,
  work: (temporal: Client, taskQueue: string) => Promise<boolean>,
): Promise<void> {
  const config = readRunsConfig();
  if ('problems' in config) stopWith(name, config.problems);
  const { namespace, address, connectionOptions } = config.temporal;
  try {
    const connection = await Connection.connect(connectionOptions.reveal());
    const temporal = new Client({ connection, namespace });
    process.exitCode = (await work(temporal, config.TASK_QUEUE)) ? 0 : 1;
    await connection.close();
  } catch (error) {
    const reason = `${namespace} at ${address} did not answer as expected; ${reasonOf(error)}`;
    stopWith(name, [`TEMPORAL_ADDRESS: ${reason}`]);
  }
}
