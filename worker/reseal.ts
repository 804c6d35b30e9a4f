// Seals again what older keys sealed, so that they can be dropped. Usage: npm run reseal -- --help; in a container: node dist/worker/reseal.js
import { parseArgs } from 'node:util';
import { PATIENT_MS, openRecords, type RecordsDatabase } from '../records/database.js';
import { forgetOlderKeys, keysProblem, sealsSince } from '../records/keys.js';
import { resealRecords, type Resealed } from '../records/reseal.js';
import { dataConverterFor } from '../sealing/data-converter.js';
import { settingsOrStop } from '../settings/read.js';
import { FLAG, ownerOf, reported, runCommand, runOnRecords, stopWith } from './command.js';
import { readRecordsConfig, type RecordsConfig } from './config.js';
import type { Client } from '@temporalio/client';

const NAME = 'reseal';
const USAGE = `npm run reseal -- [--apply]

Without --apply: counts what older keys of ENCRYPTION_KEYS sealed. With --apply: seals the records and the schedules again with the first
key, and counts the workflow runs that still need an older one. It may be interrupted and repeated. If nothing needs an older key, it
says so, and the key can be dropped. The steps before and after are in docs/custody.md, "Rotate encryption keys". Needs RECORDS_URL,
RECORDS_ADMIN_URL and ENCRYPTION_KEYS.`;

/** Within this time all processes must have got the new list. Until then, some may still seal with an older key. */
const RESTARTED_WITHIN_MS = 15 * 60_000;

const { values } = parseArgs({
  options: { apply: FLAG, help: FLAG },
});
const { apply: isApplied } = values;
if (values.help) console.log(USAGE);
else await runOnRecords(NAME, main);

async function main(): Promise<void> {
  const config = settingsOrStop(NAME, readRecordsConfig);
  const { ENCRYPTION_KEYS: keyring } = config;
  const records = openRecords(ownerOf(NAME, config), PATIENT_MS);
  try {
    const problem = await keysProblem(records.db, keyring);
    if (problem !== undefined) stopWith(NAME, problem);
    await reported(NAME, { isApplied, toApply: 'seal again', inWords }, (options) =>
      resealRecords({ db: records.db, keyring, ...options }),
    );
    const { namespace } = config.temporal;
    const dataConverter = dataConverterFor({
      keyring,
      namespace,
      clearPayloads: config.PAYLOADS_IN_CLEAR,
    });
    await runCommand(NAME, (temporal) => resealTemporal(temporal, config, records), dataConverter);
  } finally {
    await records.close();
  }
}

function inWords({ rows, entries, floatEntries, reports, webhooks }: Resealed): string {
  const what = isApplied ? 'sealed again' : 'sealed with older keys';
  const counted = `${rows} rows, ${entries} entries, ${floatEntries} float entries, ${reports} settlement reports`;
  return `${counted} and ${webhooks} values of webhooks ${what}`;
}

/** @returns true if no older key is needed any more, or for a dry run. */
async function resealTemporal(
  temporal: Client,
  { ENCRYPTION_KEYS: keyring }: RecordsConfig,
  { db }: RecordsDatabase,
): Promise<boolean> {
  if (isApplied) console.log(`${NAME}: ${await resealSchedules(temporal)} schedules sealed again`);
  const since = await sealsSince(db, keyring);
  const query = `StartTime < '${new Date((since ?? new Date()).getTime() + RESTARTED_WITHIN_MS).toISOString()}'`;
  const all = (await temporal.workflow.count(query)).count;
  const open = (await temporal.workflow.count(`${query} AND ExecutionStatus = 'Running'`)).count;
  console.log(
    `${NAME}: ${all} workflow runs may need an older key: ${open} are open (move-runs replaces them), ${all - open} have ended and leave with the retention of the namespace`,
  );
  if (!isApplied) return true;
  if (all > 0) {
    console.log(`${NAME}: keep the older keys, and repeat this later. To list the runs:\n  ${query}`);
    return false;
  }
  const forgotten = await forgetOlderKeys(db, keyring);
  console.log(
    `${NAME}: nothing needs an older key. Drop them from ENCRYPTION_KEYS: ${forgotten.join(', ') || 'none was in use'}`,
  );
  return true;
}

/** An update without a change seals the arguments again. */
async function resealSchedules({ schedule }: Client): Promise<number> {
  let count = 0;
  for await (const { scheduleId } of schedule.list()) {
    await schedule.getHandle(scheduleId).update((previous) => previous);
    count += 1;
  }
  return count;
}
