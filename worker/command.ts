// Runs an operator's command against Temporal: reads the settings, and prints one line for each invalid one.
import { Client, Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { settingsOrStop } from '../settings/read.js';
import { readRunsConfig } from './config.js';
import { reasonOf } from './reason.js';

/** Ends the process with exit code 1. @param name of the command in `npm run`. */
export function stopWith(name: string, problems: readonly string[]): never {
  for (const problem of problems) console.error(`${name}: ${problem}`);
  process.exit(1);
}

const REPORT_EVERY_MS = 2000;

/** Prints progress, at most once in two seconds. */
export function every<T>(name: string, inWords: (value: T) => string): (value: T) => void {
  let printedAtMs = performance.now();
  return (value) => {
    if (performance.now() - printedAtMs < REPORT_EVERY_MS) return;
    printedAtMs = performance.now();
    console.log(`${name}: ${inWords(value)} so far`);
  };
}

/**
 * Runs the work with the configured Temporal client and task queue. The exit code is 0 if it resolves with true, otherwise 1.
 * @param dataConverter for work that reads payloads.
 */
export async function runCommand(
  name: string,
  work: (temporal: Client, taskQueue: string) => Promise<boolean>,
  dataConverter: DataConverter = {},
): Promise<void> {
  const config = settingsOrStop(name, readRunsConfig);
  const { namespace, address, connectionOptions } = config.temporal;
  try {
    const connection = await Connection.connect(connectionOptions.reveal());
    const temporal = new Client({ connection, namespace, dataConverter });
    process.exitCode = (await work(temporal, config.TASK_QUEUE)) ? 0 : 1;
    await connection.close();
  } catch (error) {
    const reason = `the command failed for ${namespace} at ${address}; ${reasonOf(error)}`;
    stopWith(name, [`TEMPORAL_ADDRESS: ${reason}`]);
  }
}
