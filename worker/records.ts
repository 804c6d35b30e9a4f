// Commands about the records. Usage: npm run records -- --help; in a container: node dist/worker/records.js
import { parseArgs } from 'node:util';
import { PATIENT_MS, openRecords } from '../records/database.js';
import { resetOrder } from '../records/feed-order.js';
import { rebuildRows } from '../records/rebuild.js';
import { rebuildAllRows } from '../records/rebuild-all.js';
import { refill } from '../records/refill.js';
import { dataConverterFor } from '../sealing/data-converter.js';
import { RESOURCE_NAMES } from '../domain/resources.js';
import { getRecord } from '../workflows/contracts/every-workflow.js';
import { FLAG, ownerOf, reported, runCommand, runOnRecords } from './command.js';
import { settingsOrStop } from '../settings/read.js';
import { readRecordsConfig } from './config.js';
import type { Client } from '@temporalio/client';
import type { RecordBatch } from '../domain/records/batch.js';
import type { Rebuilt } from '../records/rebuild.js';
import type { RebuiltAll } from '../records/rebuild-all.js';
import type { Refilled } from '../records/refill.js';
import type { RecordsConfig } from './config.js';

const NAME = 'records';
const USAGE = `npm run records -- <command>

  rebuild                  count the rows that are missing or older than their entries
  rebuild --apply          write those of ended resources
  rebuild --all            count the rows whose columns differ from their sealed views, for example after an upgrade with new columns
  rebuild --all --apply    make the columns of these again, in place
  rebuild --from-workflows count the rows and facts that Temporal's workflows know and the records lack (needs a worker)
  rebuild --from-workflows --apply   store these rows and facts
  reset-order              after dump and restore, before workers start: continue the order of entries on this server
                           (needs RECORDS_ADMIN_URL)`;

/** How long a worker may take to replay a closed workflow. */
const ANSWER_MS = 20_000;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      all: FLAG,
      apply: FLAG,
      'from-workflows': FLAG,
      help: FLAG,
    },
  });
  const [command] = positionals;
  if (values.help || (command !== 'rebuild' && command !== 'reset-order')) return console.log(USAGE);
  const config = settingsOrStop(NAME, readRecordsConfig);
  if (command === 'reset-order') return reset(config);
  if (values.all) return rebuildAll(config, values.apply);
  return values['from-workflows']
    ? rebuildFromWorkflows(config, values.apply)
    : rebuild(config, values.apply);
}

async function reset(config: RecordsConfig): Promise<void> {
  const { db, close } = openRecords(ownerOf(NAME, config), PATIENT_MS);
  const era = await resetOrder(db).finally(close);
  console.log(`${NAME}: the order of entries continues with era ${era}`);
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
  ).finally(close);
}

async function rebuildAll(config: RecordsConfig, isApplied: boolean): Promise<void> {
  const { db, close } = openRecords(config.RECORDS_URL, PATIENT_MS);
  const inWords = ({ rows, changed }: RebuiltAll): string =>
    `${rows} rows read, the columns of ${changed} ${isApplied ? 'made again' : 'differ from their views'}`;
  await reported(NAME, { isApplied, toApply: 'make', inWords }, (options) =>
    rebuildAllRows({ db, keyring: config.ENCRYPTION_KEYS, ...options }),
  ).finally(close);
}

async function rebuildFromWorkflows(config: RecordsConfig, isApplied: boolean): Promise<void> {
  const { ENCRYPTION_KEYS: keyring, PAYLOADS_IN_CLEAR: clearPayloads, temporal } = config;
  const { db, close } = openRecords(config.RECORDS_URL, PATIENT_MS);
  const inWords = ({ workflows, rows, facts, erased, unanswered }: Refilled): string =>
    `${workflows} workflows, ${rows} rows and ${facts} entries ${isApplied ? 'stored' : 'missing'}, ${erased} erased or expired workflows left out, ${unanswered} without an answer`;
  const work = async (client: Client): Promise<boolean> => {
    const batches = batchesOf(client);
    const { unanswered } = await reported(NAME, { isApplied, toApply: 'store', inWords }, (options) =>
      refill({ db, keyring, batches, ...options }),
    );
    return unanswered === 0;
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

await runOnRecords(NAME, main);
