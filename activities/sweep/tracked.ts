// Reads the states of agreements and payments from Temporal's lists, without any load on their workflows.
import { IS_OPEN, isOpen } from '../../delivery/open.js';
import { CONNECTION_ID } from '../../workflows/entity/search-attributes.js';
import type { WorkflowExecutionInfo } from '@temporalio/client';
import type { Instant } from '../../domain/facts/fact.js';
import type { Tracked } from '../../domain/facts/sweep.js';
import type { Visibility } from '../temporal/visibility.js';
import type { Swept } from './swept.js';

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/**
 * For each uid the run that counts: the open run, otherwise the newest. One query.
 * @param uids match the provider's pattern, so they cannot change the query.
 */
export async function trackedAmong(
  visibility: Visibility,
  swept: Swept,
  uids: readonly string[],
): Promise<Map<string, Tracked>> {
  const newest = new Map<string, Dated>();
  if (uids.length === 0) return newest;
  const ids = quoted(uids.map(swept.workflowIdOf));
  // A continued run always has a newer one.
  const query = `WorkflowType = '${swept.workflow}' AND ExecutionStatus != 'ContinuedAsNew' AND WorkflowId IN (${ids})`;
  for await (const run of visibility.list(query)) {
    const uid = uidOf(swept, run);
    const tracked = {
      uid,
      state: run.typedSearchAttributes.get(swept.stateAttribute),
      isOpen: isOpen(run),
      connectionId: run.typedSearchAttributes.get(CONNECTION_ID),
      startedAtMs: run.startTime.getTime(),
    };
    const other = newest.get(uid);
    if (other === undefined || outranks(tracked, other)) newest.set(uid, tracked);
  }
  return newest;
}

type Dated = Tracked & { startedAtMs: number };

const uidOf = ({ workflowIdOf }: Swept, { workflowId }: WorkflowExecutionInfo): string =>
  workflowId.slice(workflowIdOf('').length);

const outranks = (one: Dated, other: Dated): boolean =>
  one.isOpen === other.isOpen ? one.startedAtMs > other.startedAtMs : one.isOpen;

/** The uids with an open run on this connection, in a state in which the provider must have the resource. */
export async function openAmong(
  visibility: Visibility,
  swept: Swept,
  connectionId: string,
  startedAt: Instant,
): Promise<Set<string>> {
  const { workflow, stateAttribute, compared, settlesInMs } = swept;
  const states = `${stateAttribute.name} IN (${quoted(compared.existing)})`;
  const terms = [`WorkflowType = '${workflow}'`, IS_OPEN, `ConnectionId = '${connectionId}'`, states];
  if (settlesInMs > 0)
    terms.push(`StartTime <= '${new Date(Date.parse(startedAt) - settlesInMs).toISOString()}'`);
  const uids = new Set<string>();
  for await (const run of visibility.list(terms.join(' AND '))) uids.add(uidOf(swept, run));
  return uids;
}
