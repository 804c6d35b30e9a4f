// Reads the versions of many rows in one statement.
import { sql, type Kysely } from 'kysely';
import { RESOURCE_NAMES } from '../domain/resources.js';
import { tableOf, type Tables } from './tables.js';

/** The most rows of a statement. Larger reads need several. */
const MOST_ROWS = 2000;

/** The versions of the rows of these workflows, by workflow id. A workflow without a row has none. */
export async function readVersions(
  db: Kysely<Tables>,
  workflowIds: Iterable<string>,
): Promise<Map<string, number>> {
  const ids = [...new Set(workflowIds)];
  const versions = new Map<string, number>();
  for (let from = 0; from < ids.length; from += MOST_ROWS) {
    const { rows } = await statementOf(ids.slice(from, from + MOST_ROWS)).execute(db);
    for (const { workflow_id: id, version } of rows) versions.set(id, version);
  }
  return versions;
}

/** Finds rows by their uid, because a workflow id has no index. Reads only tables in which one of the rows may be. */
function statementOf(workflowIds: readonly string[]) {
  const uids = new Map<string, string[]>();
  for (const id of workflowIds) {
    const [resource = id, uid = id] = id.split('/', 2);
    const ofResource = uids.get(resource);
    if (ofResource === undefined) uids.set(resource, [uid]);
    else ofResource.push(uid);
  }
  const selects = RESOURCE_NAMES.filter((resource) => uids.has(resource)).map(
    (resource) =>
      sql`select workflow_id, version from ${sql.table(tableOf(resource))} where uid = any(${uids.get(resource)}::text[])`,
  );
  return sql<{ workflow_id: string; version: number }>`${sql.join(selects, sql` union all `)}`;
}
