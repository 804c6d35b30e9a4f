// The state of a run that continues one which Temporal has forgotten, from its row in the records. Plain JSON and pure.
import { recordingAfter } from '../engine/recording.js';
import { upgrade, type Carried } from '../contracts/upgrade.js';
import { keepOpen } from './reopened.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { RememberedRow } from '../../domain/records/remembered.js';
import type { ResourceWorkflow, WorkflowTypes } from './kit.js';

/** @param firstRunId of this run. It becomes the identity of a thing that has none. */
export function rememberedState<T extends WorkflowTypes>(
  resource: Pick<ResourceWorkflow<T>, 'begin' | 'lost'>,
  input: T['input'],
  row: RememberedRow,
  { now, firstRunId }: { now: Instant; firstRunId: string },
): T['state'] {
  const { connectionId } = row;
  const ids = { uid: input.uid, connectionId: connectionId ?? input.connectionId };
  const left = leftBy(resource, input.isLost === true ? { ...row, carried: undefined } : row, ids, now);
  // The provider did not have it. Like one that no record has, it is searched for.
  const state =
    left?.submission.stage === 'unknown' || left === undefined
      ? resource.begin({ ...input, ...ids }, now)
      : left;
  return keepOpen({ ...state, records: recordingAfter(row, firstRunId) }, true, now);
}

function leftBy<T extends WorkflowTypes>(
  { lost }: Pick<ResourceWorkflow<T>, 'lost'>,
  { carried, view, state }: RememberedRow,
  ids: Ids,
  now: Instant,
): T['state'] | undefined {
  if (carried !== undefined) return upgrade(carried as Carried<T['state']>);
  const { uid, connectionId } = ids;
  return connectionId === undefined || state === 'unknown'
    ? undefined
    : lost(view as T['view'], { uid, connectionId }, now);
}

interface Ids {
  uid: string;
  connectionId: string | undefined;
}
