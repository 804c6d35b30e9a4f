// Reads our side of a sweep from the records, without any load on workflows. Temporal's list is only read to see which workflows run.
import { IS_OPEN } from '../../delivery/open.js';
import { RESOURCES, hasEnded, workflowIdOf, type EventResource } from '../../domain/resources.js';
import { SWEPT } from './swept.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Tracked } from '../../domain/sweep/comparison.js';
import type { Records } from '../dependencies.js';
import type { Visibility } from '../temporal/visibility.js';

export interface LocalSide {
  records: Records;
  visibility: Visibility;
  resource: EventResource;
}

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/**
 * The resources of these uids, as our records show them. A workflow that was terminated leaves a row that has not ended.
 * @param uids match the provider's pattern, so they cannot change a query.
 * @throws the errors of the database and of Temporal.
 */
export async function trackedAmong(
  { records, visibility, resource }: LocalSide,
  uids: readonly string[],
): Promise<Map<string, Tracked>> {
  if (uids.length === 0) return new Map();
  const rows = await records.rowsOf(resource, uids);
  const live = rows.filter(({ state }) => !hasEnded(resource, state)).map(({ uid }) => uid);
  const running = await runningAmong(visibility, resource, live);
  return new Map(rows.map((row) => [row.uid, { ...row, isOpen: running.has(row.uid) }]));
}

/** One query. */
async function runningAmong(
  visibility: Visibility,
  resource: EventResource,
  uids: readonly string[],
): Promise<Set<string>> {
  const running = new Set<string>();
  if (uids.length === 0) return running;
  const ids = quoted(uids.map((uid) => workflowIdOf(resource, uid)));
  const query = `WorkflowType = '${resource}' AND ${IS_OPEN} AND WorkflowId IN (${ids})`;
  for await (const { workflowId } of visibility.list(query))
    running.add(workflowId.slice(workflowIdOf(resource, '').length));
  return running;
}

const UIDS_AT_ONCE = 500;

/**
 * The uids of this connection in a state in which the provider must have the resource.
 * @throws the errors of the database.
 */
export async function openAmong(
  { records, resource }: Pick<LocalSide, 'records' | 'resource'>,
  connectionId: string,
  startedAt: Instant,
): Promise<Set<string>> {
  const until = new Date(Date.parse(startedAt) - SWEPT[resource].settlesInMs).toISOString();
  const range = { connectionId, states: RESOURCES[resource].provider.compared.existing, until };
  const uids = new Set<string>();
  for (let after = ''; ;) {
    const page = await records.uidsIn(resource, range, { after, limit: UIDS_AT_ONCE });
    for (const uid of page) uids.add(uid);
    const last = page.at(-1);
    if (last === undefined || page.length < UIDS_AT_ONCE) return uids;
    after = last;
  }
}
