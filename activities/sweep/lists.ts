// How agreements stand in our own lists, which costs their workflows nothing.
// In:  activities/sweep-agreements.ts. Out: Temporal's visibility.
import { IS_OPEN, isOpen } from '../../delivery/open.js';
import { AGREEMENT_WORKFLOW } from '../../workflows/agreement/contract.js';
import { AGREEMENT_STATE, AGREEMENT_UID, CONNECTION_ID } from '../../workflows/entity/search-attributes.js';
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import type { AgreementState } from '../../domain/agreement-events.js';
import type { Tracked } from '../../domain/sweep.js';

/** A run that was continued has a newer one beside it. */
const AGREEMENTS = `WorkflowType = '${AGREEMENT_WORKFLOW}' AND ExecutionStatus != 'ContinuedAsNew'`;

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/**
 * The run that counts of each of these agreements: the open one, else the newest. One query.
 * @param uids of the provider's own pattern, so that none can say anything else in a query.
 */
export async function trackedAmong(temporal: Client, uids: readonly string[]): Promise<Map<string, Tracked>> {
  const newest = new Map<string, Tracked & { startedAtMs: number }>();
  if (uids.length === 0) return newest;
  const query = `${AGREEMENTS} AND AgreementUid IN (${quoted(uids)})`;
  for await (const run of temporal.workflow.list({ query })) {
    const uid = run.typedSearchAttributes.get(AGREEMENT_UID);
    if (uid === undefined) continue;
    const tracked = { ...trackedIn(uid, run), startedAtMs: run.startTime.getTime() };
    const other = newest.get(uid);
    if (other === undefined || outranks(tracked, other)) newest.set(uid, tracked);
  }
  return newest;
}

const trackedIn = (uid: string, run: WorkflowExecutionInfo): Tracked => ({
  uid,
  state: run.typedSearchAttributes.get(AGREEMENT_STATE),
  isOpen: isOpen(run),
  connectionId: run.typedSearchAttributes.get(CONNECTION_ID),
});

type Dated = Tracked & { startedAtMs: number };

const outranks = (one: Dated, other: Dated): boolean =>
  one.isOpen === other.isOpen ? one.startedAtMs > other.startedAtMs : one.isOpen;

/** Those in which the provider is known to have it, and it is not over. */
const STATES_THERE = ['created', 'active', 'suspended'] as const satisfies readonly AgreementState[];

/** The uids of this connection's agreements that are open here and that the provider is known to have. */
export async function openAmong(temporal: Client, connectionId: string): Promise<string[]> {
  const isTheirs = `ConnectionId = '${connectionId}' AND AgreementState IN (${quoted(STATES_THERE)})`;
  const query = `WorkflowType = '${AGREEMENT_WORKFLOW}' AND ${IS_OPEN} AND ${isTheirs}`;
  const uids: string[] = [];
  for await (const { typedSearchAttributes } of temporal.workflow.list({ query })) {
    const uid = typedSearchAttributes.get(AGREEMENT_UID);
    if (uid !== undefined) uids.push(uid);
  }
  return uids;
}
