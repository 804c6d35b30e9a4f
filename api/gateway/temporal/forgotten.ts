// Commands to a thing without a run: Temporal has forgotten the last one, and its record decides (docs/decisions/0036-a-forgotten-run.md).
import { WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import { recipientOf } from '../../../delivery/recipients.js';
import { runStart, type RunStart } from '../../../delivery/reopen.js';
import type { RememberedRow } from '../../../domain/records/remembered.js';
import { RESOURCES, type ProviderResource, type ResourceName } from '../../../domain/resources.js';
import { notFound } from '../../http/problems/errors.js';
import { goneError, type Recordable } from '../records.js';
import type { Calls } from './calls.js';

/**
 * What the records have of a thing that has no run.
 * @throws ApiError `not_found` if they never had it, `gone`, or `records_unavailable`: then only a later request can tell.
 */
export async function rememberedOf<Resource extends ResourceName>(
  { recorded }: Pick<Calls, 'recorded'>,
  of: Recordable & { resource: Resource },
): Promise<RememberedRow> {
  const found = await recorded.ask(({ remembered }) => remembered(of.resource, of.uid));
  if (found === undefined) throw notFound(RESOURCES[of.resource].what);
  if (found.is === 'gone') throw goneError(of.resource, found);
  return found;
}

/** An update that starts a run if there is none. */
export interface StartingUpdate<Answer, Args extends unknown[]> {
  definition: UpdateDefinition<Answer, Args>;
  args: Args;
  updateId?: string | undefined;
}

export interface RecordStart {
  workflow: string;
  run: RunStart;
}

/** The start of a run that reads its record first. @param by the sender, for the summary of the run: "a refund". */
export const startFromRecord = (
  calls: Pick<Calls, 'taskQueue'>,
  resource: ProviderResource,
  { uid, connectionId, isLost = false }: { uid: string; connectionId?: string | undefined; isLost?: boolean },
  by: string,
): RecordStart => {
  const recipient = recipientOf(resource, uid, connectionId);
  return {
    workflow: recipient.workflow,
    run: runStart(calls, recipient, { by, end: undefined, isReopened: true, isLost }),
  };
};

/** Sends the update to the open run. @param start how to start a run with it if there is none; undefined if there is one. */
export const updateOrStart = <Answer, Args extends unknown[]>(
  { client }: Pick<Calls, 'client'>,
  handle: WorkflowHandle,
  start: RecordStart | undefined,
  { definition, args, updateId }: StartingUpdate<Answer, Args>,
): Promise<Answer> => {
  const options = { ...(updateId !== undefined && { updateId }) };
  if (start === undefined)
    return handle.executeUpdate<Answer, [unknown]>(definition.name, {
      ...options,
      args: args as unknown[] as [unknown],
    });
  const { workflow, run } = start;
  return client.workflow.executeUpdateWithStart(definition, {
    ...options,
    args,
    startWorkflowOperation: new WithStartWorkflowOperation(workflow, {
      ...run,
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    }),
  });
};
