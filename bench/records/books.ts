// A month of settled payments with settlement reports and the entries of a float account, filled by SQL; then the answers that finance reads.
import { sql, type Kysely } from 'kysely';
import { addDays } from '../../domain/time/calendar.js';
import { judge, median } from '../figures.js';
import { memoryMbOf } from '../process-usage.js';
import { openRecords } from '../../records/database.js';
import { CONNECTION } from './fill.js';
import type { Tables } from '../../records/tables.js';
import type { RecordsStack } from './stack.js';

/** October 2026 in Sydney, with a day of 23 hours. */
const FIRST_DAY = '2026-10-01';
const DAYS = 31;
const LAST_DAY = addDays(FIRST_DAY, DAYS - 1);
const PER_DAY = 10_000;
const AMOUNT = 500;
const FILL_MS = 300_000;
const TIMES = 11;
const RECONCILIATION_MS = 100;
/** Memory is read after so many lines, again and again. */
const MEASURED_LINES = 200_000;
const JOURNAL_SECONDS_PER_300_000_LINES = 10;

/** Not sealed: no answer of finance opens these texts. */
const filler = (bytes: number) => sql`decode(repeat(md5(i::text), ${sql.lit(bytes / 16)}), 'hex')`;
const PAYMENT_BYTES = 800;
const ENTRY_BYTES = 192;
const uidIn = sql`'pay-' || lpad(i::text, 7, '0')`;
const timeIn = sql`(${FIRST_DAY}::date + i / ${PER_DAY}::int + interval '10 hours' + i % ${PER_DAY}::int * interval '3 seconds')
  at time zone 'Australia/Sydney'`;
const COUNT = DAYS * PER_DAY;

async function fill(db: Kysely<Tables>): Promise<void> {
  await sql`
    insert into payments (uid, workflow_id, connection_id, version, state, state_since, attention, requested_at, updated_at,
      changed_era, agreement_uid, amount, settled_at, key_id, sealed)
    select ${uidIn}, 'payment/' || ${uidIn}, ${CONNECTION}, 1, 'settled', ${timeIn}, '{}', ${timeIn}, ${timeIn}, 1,
      'agr-' || i % 5000, ${AMOUNT}::int, ${timeIn}, 'k1', ${filler(PAYMENT_BYTES)}
    from generate_series(0, ${COUNT}::int - 1) i`.execute(db);
  await sql`
    insert into float_entries (account_uid, id, connection_id, at, amount, balance_after, is_new, payment_uid, key_id, sealed)
    select 'float-bench', 'entry-' || i, ${CONNECTION}, ${timeIn}, ${AMOUNT}::int, (i + 1) * ${AMOUNT}::int, true, ${uidIn}, 'k1',
      ${filler(ENTRY_BYTES)}
    from generate_series(0, ${COUNT}::int - 1) i`.execute(db);
  await sql`
    insert into settlement_reports (connection_id, day, state, checksum, line_count, fetched_at)
    select ${CONNECTION}, ${FIRST_DAY}::date + day, 'stored', md5(day::text), ${PER_DAY}::int, ${FIRST_DAY}::date + day + 2
    from generate_series(0, ${DAYS}::int - 1) day`.execute(db);
  await sql`
    insert into settlement_lines (report_id, line, uid, kind, amount, settled_at)
    select report.id, i % ${PER_DAY}::int + 1, ${uidIn}, 'payment', ${AMOUNT}::int, ${timeIn}
    from generate_series(0, ${COUNT}::int - 1) i
    join settlement_reports report on report.connection_id = ${CONNECTION} and report.day = ${FIRST_DAY}::date + i / ${PER_DAY}::int`.execute(
    db,
  );
  await sql`vacuum analyze payments, settlement_reports, settlement_lines, float_entries`.execute(db);
}

/** Above a limit the exit code becomes 1. */
export async function measureBooks(stack: RecordsStack): Promise<void> {
  const { settings, apiPid } = stack;
  const { db, close } = openRecords(settings, FILL_MS);
  console.log(`  … a month of ${COUNT} payments`);
  await fill(db);
  await close();

  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const startedAt = performance.now();
    await stack.get(`/v1/reconciliation/${addDays(FIRST_DAY, 2 + time)}`);
    times.push(performance.now() - startedAt);
  }
  judge({
    what: `reconciliation of ${PER_DAY} payments: API ms, median`,
    ...{ met: Math.round(median(times)), limit: RECONCILIATION_MS },
  });

  let [lines, startMb, mostMb] = [0, 0, 0];
  const startedAt = performance.now();
  for await (const part of stack.stream(`/v1/journal?from=${FIRST_DAY}&until=${LAST_DAY}`)) {
    const more = part.split('\n').length - 1;
    if (Math.floor((lines + more) / MEASURED_LINES) > Math.floor(lines / MEASURED_LINES)) {
      const usedMb = await memoryMbOf(apiPid);
      startMb ||= usedMb;
      mostMb = Math.max(mostMb, usedMb);
    }
    lines += more;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  judge({ what: `journal of ${lines} lines: seconds`, met: Math.round(seconds * 10) / 10 });
  judge({
    what: 'journal: seconds for each 300000 lines',
    met: Math.round((seconds / lines) * 300_000 * 10) / 10,
    limit: JOURNAL_SECONDS_PER_300_000_LINES,
  });
  judge({ what: `journal: most MB of the API, above line ${MEASURED_LINES}`, met: mostMb - startMb });
}
