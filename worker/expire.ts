// Deletes what ended longer ago than RECORDS_RETENTION, old idempotency keys and old webhook deliveries. Usage: npm run expire -- --help; in a container: node dist/worker/expire.js
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PATIENT_MS, openRecords } from '../records/database.js';
import { describeError } from '../records/errors.js';
import { openRunNotice } from '../records/erasure-texts.js';
import { expireRecords, type Expired } from '../records/expire.js';
import { FLAG, countsIn, reported, stopWith } from './command.js';
import { settingsOrStop } from '../settings/read.js';
import { readExpiryConfig, type ExpiryConfig } from './config.js';

const NAME = 'expire';
const USAGE = `npm run expire -- [--apply [--daily]]

Without --apply: counts what ended longer ago than RECORDS_RETENTION, and idempotency keys that are older than
IDEMPOTENCY_KEYS_RETENTION, and webhook deliveries older than WEBHOOK_DELIVERIES_RETENTION. With --apply: deletes them. --daily: again every 24 hours, until the
process is stopped. Needs RECORDS_EXPIRY_URL.`;

const DAY_MS = 24 * 3_600_000;

const { values } = parseArgs({
  options: {
    apply: FLAG,
    daily: FLAG,
    help: FLAG,
  },
});
const { apply: isApplied, daily: isDaily } = values;
if (values.help) console.log(USAGE);
else await main();

async function main(): Promise<void> {
  if (isDaily && !isApplied) stopWith(NAME, 'expected --apply with --daily');
  const config = settingsOrStop(NAME, readExpiryConfig);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
  for (;;) {
    try {
      await expire(config);
    } catch (error) {
      if (!isDaily) stopWith(NAME, describeError(error));
      console.error(`${NAME}: ${describeError(error)}; the next run is in 24 hours`);
    }
    if (!isDaily) return;
    await delay(DAY_MS);
  }
}

async function expire({
  RECORDS_EXPIRY_URL: expiry,
  RECORDS_RETENTION: retentionMs,
  IDEMPOTENCY_KEYS_RETENTION: keysRetentionMs,
  WEBHOOK_DELIVERIES_RETENTION: deliveriesRetentionMs,
}: ExpiryConfig): Promise<void> {
  const before = new Date(Date.now() - retentionMs);
  const keysBefore = new Date(Date.now() - keysRetentionMs);
  const deliveriesBefore = new Date(Date.now() - deliveriesRetentionMs);
  const what = `ended before ${before.toISOString()}, ${isApplied ? 'deleted' : 'due'}`;
  const { db, close } = openRecords(expiry, PATIENT_MS);
  await reported<Expired>(
    NAME,
    { isApplied, toApply: 'delete', inWords: (counts) => `${what}: ${countsIn(counts)}` },
    (options) =>
      expireRecords({
        ...{ db, before, keysBefore, deliveriesBefore, ...options },
        onOpenRun: (workflowId) => console.log(`${NAME}: ${openRunNotice(workflowId, 'expired')}`),
      }),
  ).finally(close);
}
