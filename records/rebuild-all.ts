// Makes the columns of all rows again, in place, from their sealed views: after a release that takes more columns from a view, or to tag all rows with
// the first key. What is sealed stays as it is, so nothing is lost. A row whose columns are the same is not written.
import { sql, type Kysely } from 'kysely';
import { columnsOf, commonColumnsOf, ownColumnsOf } from './columns.js';
import { CHANGED_NOW } from './changed-rows.js';
import { zeroOf, type Maintenance } from './database.js';
import { ROW_KINDS, type AnyRow, type RowKind } from './row-tables.js';
import { openRow } from './sealed.js';
import { searchTagsOf } from './tags.js';
import type { Keyring } from '../sealing/keyring.js';
import type { Tables } from './tables.js';

export interface RebuiltAll {
  /** All that were read. */
  rows: number;
  /** Those whose columns differed, and are now written, unless it was a dry run. */
  changed: number;
}

/** A worker that replaces one of these rows waits until the page is written. */
const PAGE = 100;

/**
 * Page by page in the order of the primary key. May be interrupted and repeated.
 * @throws SealError if a key is missing.
 */
export async function rebuildAllRows(options: Maintenance<RebuiltAll>): Promise<RebuiltAll> {
  const total = zeroOf('rows', 'changed');
  for (const kind of ROW_KINDS) {
    let page: Page | undefined;
    do {
      const after = page?.last;
      page = await options.db.transaction().execute((db) => rebuildPage({ ...options, db }, kind, after));
      total.rows += page.rows;
      total.changed += page.changed;
      options.onProgress(total);
    } while (page.rows === PAGE);
  }
  return total;
}

interface Page extends RebuiltAll {
  last: AnyRow | undefined;
}

async function rebuildPage(
  { db, keyring, isApplied }: Maintenance<RebuiltAll>,
  kind: RowKind,
  after: AnyRow | undefined,
): Promise<Page> {
  const { table, key } = kind;
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(${columns}) > (${sql.join(key.map((name) => Reflect.get(after, name) as unknown))})`;
  const { rows } = await sql<AnyRow>`
    select * from ${sql.table(table)} where ${beyond} order by ${columns} limit ${PAGE}
    ${isApplied ? sql`for update` : sql``}`.execute(db);
  const changed = await replaceColumns(
    db,
    kind,
    rows.map((row) => columnsAgain(keyring, kind, row)),
    isApplied,
  );
  return { rows: rows.length, changed, last: rows.at(-1) };
}

/** The key of a row, and what is taken from its view. An erased row has no tags, and must not get any. */
function columnsAgain(keyring: Keyring, { table, key, resourceOf, idOf }: RowKind, row: AnyRow): object {
  const view = openRow(keyring, table, idOf(row), row);
  const resource = resourceOf(row);
  return {
    ...Object.fromEntries(key.map((name) => [name, Reflect.get(row, name) as unknown])),
    ...(table === 'conflicts'
      ? { ...commonColumnsOf(view), own: ownColumnsOf(resource, view) }
      : columnsOf(resource, view)),
    search_tags: row.erased_at === null ? searchTagsOf(keyring, resource, view) : [],
  };
}

/** @returns how many rows differ from the given ones. */
async function replaceColumns(
  db: Kysely<Tables>,
  { table, key }: RowKind,
  given: readonly object[],
  isApplied: boolean,
): Promise<number> {
  const [first] = given;
  if (first === undefined) return 0;
  const names = Object.keys(first).filter((name) => !key.includes(name));
  const of = (alias: string, columns: readonly string[]) =>
    sql`(${sql.join(columns.map((name) => sql.ref(`${alias}.${name}`)))})`;
  const source = sql`json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(given)}::json) as given`;
  const isDue = sql`${of('stored', key)} = ${of('given', key)} and ${of('stored', names)} is distinct from ${of('given', names)}`;
  const set = names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`given.${name}`)}`);
  const place = Object.entries(CHANGED_NOW).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const { rows } = await (
    isApplied
      ? sql`
          update ${sql.table(table)} as stored set ${sql.join(table === 'conflicts' ? set : [...set, ...place])}
          from ${source} where ${isDue} returning 1`
      : sql`select from ${sql.table(table)} as stored, ${source} where ${isDue}`
  ).execute(db);
  return rows.length;
}
