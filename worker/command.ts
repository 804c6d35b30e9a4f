// What the operators' commands share: options, progress, failures, and the connection to Temporal.
import { Client, Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { describeError } from '../records/errors.js';
import { settingsOrStop } from '../settings/read.js';
import { readRunsConfig, type RecordsConfig } from './config.js';
import { reasonOf } from './reason.js';
import type { RecordsSettings } from '../records/settings.schema.js';

/** An option of a command without a value. */
export const FLAG = { type: 'boolean', default: false } as const;

/** Ends the process. @param name of the command in `npm run`. */
export function stopWith(name: string, problem: string, exitCode = 1): never {
  console.error(`${name}: ${problem}`);
  process.exit(exitCode);
}

/** Runs a command about the records. Ends the process with exit code 1 and the reason if it fails. */
export const runOnRecords = (name: string, work: () => Promise<void>): Promise<void> =>
  work().catch((error: unknown) => stopWith(name, describeError(error)));

/** The URL of the owner of the database. Ends the process if it is not set. */
export const ownerOf = (name: string, { RECORDS_ADMIN_URL: owner }: RecordsConfig): RecordsSettings =>
  owner ?? stopWith(name, 'RECORDS_ADMIN_URL: expected the URL of the owner of the database');

const REPORT_EVERY_MS = 2000;

/** @returns whether two seconds have passed since the start, or since it last returned true. */
export function createReportTimer(): () => boolean {
  let reportedAtMs = performance.now();
  return () => {
    if (performance.now() - reportedAtMs < REPORT_EVERY_MS) return false;
    reportedAtMs = performance.now();
    return true;
  };
}

interface Change<Counts> {
  /** False: a dry run, which only counts. */
  isApplied: boolean;
  inWords: (counts: Counts) => string;
  /** What `--apply` does to what was counted. */
  toApply: string;
}

/** Makes a change of the records, or counts it. Prints its progress, at most once in two seconds, and its result. */
export async function reported<Counts>(
  name: string,
  { isApplied, inWords, toApply }: Change<Counts>,
  change: (options: { isApplied: boolean; onProgress: (counts: Counts) => void }) => Promise<Counts>,
): Promise<Counts> {
  const isDue = createReportTimer();
  const onProgress = (counts: Counts): void => {
    if (isDue()) console.log(`${name}: ${inWords(counts)} so far`);
  };
  const counts = await change({ isApplied, onProgress });
  console.log(`${name}: ${inWords(counts)}${isApplied ? '' : `; add --apply to ${toApply} them`}`);
  return counts;
}

export const countsIn = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ');

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
    stopWith(name, `TEMPORAL_ADDRESS: ${reason}`);
  }
}
