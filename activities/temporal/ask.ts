// Queries another workflow that may not exist.
import { ifFound, isOpen } from '../../delivery/open.js';
import { SealError } from '../../sealing/keyring.js';
import { workflowIdOf, type ResourceName } from '../../domain/resources.js';
import type { Before, RecordMemory, Remembered } from '../../domain/records/remembered.js';
import type { Dependencies } from '../dependencies.js';
import type { Client } from '@temporalio/client';
import type { QueryDefinition } from '@temporalio/common';

/** Returns undefined if the workflow does not exist. A workflow that has ended can be queried too: a worker replays it. */
export const ask = <T, Args extends unknown[]>(
  { workflow }: Client,
  workflowId: string,
  query: QueryDefinition<T, Args>,
  ...args: Args
): Promise<T | undefined> => {
  const run = workflow.getHandle(workflowId);
  return ifFound(run.query(query, ...args)).catch(async (error: unknown) => {
    // A run that has found its record gone has failed, and answers no query. By name, because activities do not import Temporal's client.
    const isUnanswered = error instanceof Error && error.name === 'QueryNotRegisteredError';
    if (!isUnanswered || (await run.describe()).status.name !== 'FAILED') throw error;
    return undefined;
  });
};

/** What the records have under the uid of a thing that is to be started. While they are away, what is new is started unchecked. */
export const before = (
  { records }: { records: RecordMemory },
  resource: ResourceName,
  uid: string,
): Promise<Before> =>
  records.remembered(resource, uid).then(
    (found) => ({ found }),
    (error: unknown) => {
      // A process with wrong keys must not start what it cannot judge.
      if (error instanceof SealError) throw error;
      return { found: undefined, isUnchecked: true };
    },
  );

/** What the records have of a thing. While they are away as if they had nothing. */
export const rememberedNow = async (
  deps: { records: RecordMemory },
  resource: ResourceName,
  uid: string,
): Promise<Remembered | undefined> => (await before(deps, resource, uid)).found;

type Reads = Pick<Dependencies, 'temporal'> & { records: RecordMemory };

/** The view of a resource: from its run, or from its record if Temporal has forgotten the run. Undefined if it does not exist, or is gone. */
export const viewOf = <View extends object>(
  deps: Reads,
  resource: ResourceName,
  uid: string,
  query: QueryDefinition<View>,
): Promise<View | undefined> => {
  const remembered: RecordMemory['remembered'] = (...of) => rememberedNow(deps, ...of);
  return viewOrAway({ ...deps, records: { remembered } }, resource, uid, query);
};

/** As `viewOf`, for final answers: throws while the records are away and only they can tell whether it exists. */
export async function viewOrAway<View extends object>(
  { temporal, records }: Reads,
  resource: ResourceName,
  uid: string,
  query: QueryDefinition<View>,
): Promise<View | undefined> {
  const view = await ask(temporal, workflowIdOf(resource, uid), query);
  if (view !== undefined) return view;
  const found = await records.remembered(resource, uid);
  return found?.is === 'row' ? (found.view as View) : undefined;
}

/** Returns undefined if no run with this id is open. */
export async function askOpen<T, Args extends unknown[]>(
  temporal: Client,
  workflowId: string,
  query: QueryDefinition<T, Args>,
  ...args: Args
): Promise<T | undefined> {
  const run = await ifFound(temporal.workflow.getHandle(workflowId).describe());
  return run !== undefined && isOpen(run) ? ask(temporal, workflowId, query, ...args) : undefined;
}
