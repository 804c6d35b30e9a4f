// Commands about the records. Usage: npm run records -- --help; in a container: node dist/worker/records.js
import { parseArgs } from 'node:util';
import { describeError, openRecords } from '../records/database.js';
import { resetOrder } from '../records/feed-order.js';
import { rebuildRows } from '../records/rebuild.js';
import { refill } from '../records/refill.js';
import { dataConverterFor } from '../sealing/data-converter.js';
import { RESOURCE_NAMES } from '../domain/resources.js';
import { getRecord } from '../workflows/contracts/every-workflow.js';
import { every, runCommand, stopWith } from './command.js';
import { settingsOrStop } from '../settings/read.js';
import { readRecordsConfig } from './config.js';
import type { Client } from '@temporalio/client';
import type { RecordBatch } from '../domain/records/batch.js';
import type { Refilled } from '../records/refill.js';
import type { RecordsConfig } from './config.js';

const NAME = 'records';
const USAGE = `npm run records -- <command>

  rebuild                  count the rows that are missing or older than their entries
  rebuild --apply          write these rows
  rebuild --from-workflows count the rows and facts that Temporal's workflows know and the records lack (needs a worker)
  rebuild --from-workflows --apply   store these rows and facts
  reset-order              after dump and restore, before workers start: continue the order of entries on this server
                           (needs RECORDS_ADMIN_URL)`;

/** A statement of a command may take long. */
const PATIENT_MS = 10 * 60_000;
/** How long a worker may take to replay a closed workflow. */
const ANSWER_MS = 20_000;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      apply: { type: 'boolean', default: false },
      'from-workflows': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [command] = positionals;
  if (values.help || (command !== 'rebuild' && command !== 'reset-order')) return console.log(USAGE);
  const config = settingsOrStop(NAME, readRecordsConfig);
  if (command === 'reset-order') return reset(config);
  return values['from-workflows']
    ? rebuildFromWorkflows(config, values.apply)
    : rebuild(config, values.apply);
}

async function reset({ RECORDS_ADMIN_URL: admin }: RecordsConfig): Promise<void> {
  if (admin === undefined)
    stopWith(NAME, ['RECORDS_ADMIN_URL: expected the URL of the owner of the database']);
  const { db, close } = openRecords(admin, PATIENT_MS);
  const era = await resetOrder(db).finally(close);
  console.log(`${NAME}: the order of entries continues with era ${era}`);
}

async function rebuild(config: RecordsConfig, isApplied: boolean): Promise<void> {
  const { db, close } = openRecords(config.RECORDS_URL, PATIENT_MS);
  const inWords = ({ views, rows }: { views: number; rows: number }): string =>
    `${views} views read, ${rows} rows ${isApplied ? 'written' : 'missing or older'}`;
  const report = every(NAME, inWords);
  const options = { db, keyring: config.ENCRYPTION_KEYS, isApplied, onProgress: report };
  const rebuilt = await rebuildRows(options).finally(close);
  console.log(`${NAME}: ${inWords(rebuilt)}${isApplied ? '' : '; add --apply to write them'}`);
}

async function rebuildFromWorkflows(config: RecordsConfig, isApplied: boolean): Promise<void> {
  const { ENCRYPTION_KEYS: keyring, PAYLOADS_IN_CLEAR: clearPayloads, temporal } = config;
  const { db, close } = openRecords(config.RECORDS_URL, PATIENT_MS);
  const inWords = ({ workflows, rows, facts, erased, unanswered }: Refilled): string =>
    `${workflows} workflows, ${rows} rows and ${facts} entries ${isApplied ? 'stored' : 'missing'}, ${erased} erased workflows left out, ${unanswered} without an answer`;
  const report = every(NAME, inWords);
  const work = async (client: Client): Promise<boolean> => {
    const batches = batchesOf(client);
    const refilled = await refill({ db, keyring, isApplied, batches, onProgress: report });
    console.log(`${NAME}: ${inWords(refilled)}${isApplied ? '' : '; add --apply to store them'}`);
    return refilled.unanswered === 0;
  };
  const dataConverter = dataConverterFor({ keyring, namespace: temporal.namespace, clearPayloads });
  await runCommand(NAME, work, dataConverter).finally(close);
}

/** What each workflow knows, open or closed, newest run first. */
async function* batchesOf(client: Client): AsyncGenerator<RecordBatch | undefined> {
  const types = RESOURCE_NAMES.map((type) => `'${type}'`).join(', ');
  const received = new Set<string>();
  for await (const { workflowId } of client.workflow.list({ query: `WorkflowType IN (${types})` })) {
    if (received.has(workflowId)) continue;
    received.add(workflowId);
    yield await client.connection
      .withDeadline(Date.now() + ANSWER_MS, () => client.workflow.getHandle(workflowId).query(getRecord))
      .catch(() => undefined);
  }
}

await main().catch((error: unknown) => stopWith(NAME, [describeError(error)]));
