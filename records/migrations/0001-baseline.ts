// The whole schema of the first release. records/tables.ts describes the columns. Change it freely until that release exists.
import { sql, type Kysely } from 'kysely';
import { ENTRIES } from './0001-baseline/entries.js';
import { FINANCE_VIEWS } from './0001-baseline/finance-views.js';
import { FLOAT } from './0001-baseline/float.js';
import { OPERATION } from './0001-baseline/operation.js';
import { ROWS } from './0001-baseline/rows.js';
import { SETTLEMENT } from './0001-baseline/settlement.js';
import { WEBHOOKS } from './0001-baseline/webhooks.js';

const PARTS = [ENTRIES, ROWS, FLOAT, SETTLEMENT, WEBHOOKS, OPERATION, FINANCE_VIEWS];

/** Each part has several statements: PostgreSQL accepts that if none has parameters. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of PARTS) await sql.raw(statements).execute(db);
}
