// Commands about the records. Usage: npm run records -- --help; in a container: node dist/worker/records.js
import { parseArgs } from 'node:util';
import { PATIENT_MS, openRecords, type RecordsDatabase } from '../records/database.js';
import { commandsToRun, markRestored } from '../records/incomplete.js';
import { rebuildRows, type Rebuilt } from '../records/rebuild.js';
import { rebuildAllRows, type RebuiltAll } from '../records/rebuild-all.js';
import { refill, type Refilled } from '../records/refill.js';
import { dataConverterFor } from '../sealing/data-converter.js';
import { FLAG, reported, runCommand, runOnRecords, stopWith } from './command.js';
import { settingsOrStop } from '../settings/read.js';
import { readMigrateConfig, readRecordsConfig, type RecordsConfig } from './config.js';
import { batchesOf } from './workflow-batches.js';
import type { Client } from '@temporalio/client';

const NAME = 'records';
const USAGE = `npm run records -- <command>

  rebuild                  count the rows that are missing or older than their entries
  rebuild --apply          write those of ended resources
  rebuild --all            count the rows whose columns differ from their sealed views, for example after an upgrade with new columns
  rebuild --all --check    the same, and exit with 1 if any differs, for a daily check. Its role needs to read only (RECORDS_AUDIT_URL)
  rebuild --all --apply    make the columns of these again, in place
  rebuild --from-workflows count the rows and facts that Temporal's workflows know and the records lack (needs a worker)
  rebuild --from-workflows --apply   store these rows and facts
  restored                 after each restore, before workers start: mark the rows as incomplete, and continue the order of
                           entries (needs RECORDS_ADMIN_URL). Then run rebuild --from-workflows --apply, once workers run`;

/** Of the workflows that did not answer, so many are named. */
const MOST_NAMED = 20;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      all: FLAG,
      apply: FLAG,
      check: FLAG,
      'from-workflows': FLAG,
      help: FLAG,
    },
  });
  const [command] = positionals;
  if (values.help || (command !== 'rebuild' && command !== 'restored')) return console.log(USAGE);
  if (command === 'restored') return restored();
  if (values.check && (!values.all || values.apply)) stopWith(NAME, 'expected --check only with --all');
  const config = settingsOrStop(NAME, readRecordsConfig);
  if (values.all) return rebuildAll(config, values);
  return values['from-workflows']
    ? rebuildFromWorkflows(config, values.apply)
    : rebuild(config, values.apply);
}

async function restored(): Promise<void> {
  const { RECORDS_ADMIN_URL: owner } = settingsOrStop(NAME, readMigrateConfig);
  const { db, close } = openRecords(owner, PATIENT_MS);
  try {
    console.log(`${NAME}: the order of entries continues with era ${await markRestored(db)}`);
    await printMarks(db);
  } finally {
    await close();
  }
}

async function rebuild(config: RecordsConfig, isApplied: boolean): Promise<void> {
  const { db, close } = openRecords(config.RECORDS_URL, PATIENT_MS);
  const done = isApplied ? 'written' : 'missing or older';
  await reported<Rebuilt>(
    NAME,
    {
      isApplied,
      toApply: 'write',
      inWords: ({ workflows, rows, running }) =>
        `${workflows} workflows, ${rows} rows of ended resources ${done}, ${running} rows of running resources missing or older (rebuild --from-workflows stores those)`,
    },
    (options) => rebuildRows({ db, keyring: config.ENCRYPTION_KEYS, ...options }),
  )
    .then(() => printMarks(db))
    .finally(close);
}

async function rebuildAll(
  config: RecordsConfig,
  { apply: isApplied, check: isChecked }: { apply: boolean; check: boolean },
): Promise<void> {
  const { db, close } = openRecords(config.RECORDS_URL, PATIENT_MS);
  const inWords = ({ rows, changed }: RebuiltAll): string =>
    `${rows} rows read, the columns of ${changed} ${isApplied ? 'made again' : 'differ from their views'}`;
  const { changed } = await reported(NAME, { isApplied, toApply: 'make', inWords }, (options) =>
    rebuildAllRows({ db, keyring: config.ENCRYPTION_KEYS, ...options }),
  ).finally(close);
  if (isChecked && changed > 0) process.exitCode = 1;
}

async function rebuildFromWorkflows(config: RecordsConfig, isApplied: boolean): Promise<void> {
  const { ENCRYPTION_KEYS: keyring, PAYLOADS_IN_CLEAR: clearPayloads, temporal } = config;
  const { db, close } = openRecords(config.RECORDS_URL, PATIENT_MS);
  const inWords = ({ workflows, rows, facts, erased, unanswered }: Refilled): string =>
    `${workflows} workflows, ${rows} rows and ${facts} entries ${isApplied ? 'stored' : 'missing'}, ${erased} erased or expired workflows left out, ${unanswered} without an answer`;
  const work = async (client: Client): Promise<boolean> => {
    const unansweredIds: string[] = [];
    const batches = batchesOf(client, (workflowId) => unansweredIds.push(workflowId));
    const { unanswered } = await reported(NAME, { isApplied, toApply: 'store', inWords }, (options) =>
      refill({ db, keyring, batches, ...options }),
    );
    for (const id of unansweredIds.slice(0, MOST_NAMED)) console.log(`${NAME}: no answer from ${id}`);
    await printMarks(db);
    return unanswered === 0;
  };
  const dataConverter = dataConverterFor({ keyring, namespace: temporal.namespace, clearPayloads });
  await runCommand(NAME, work, dataConverter).finally(close);
}

/** Prints what still makes the rows incomplete, or that nothing does. */
async function printMarks(db: RecordsDatabase['db']): Promise<void> {
  const commands = await commandsToRun(db);
  const toRun = commands.map((command) => `records -- ${command} --apply`).join(' and ');
  console.log(
    `${NAME}: ${commands.length === 0 ? 'the records are complete' : `the records are incomplete: run npm run ${toRun}`}`,
  );
}

await runOnRecords(NAME, main);
