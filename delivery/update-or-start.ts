// Updates of a thing that may have no run: Temporal has forgotten the last one, and its record decides (docs/decisions/0036-a-forgotten-run.md).
import { WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import { recipientOf } from './recipients.js';
import { runStart, type Destination, type RunStart } from './reopen.js';
import type { ProviderResource } from '../domain/resources.js';
import type { UpdateDefinition } from '@temporalio/common';

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
  to: Pick<Destination, 'taskQueue'>,
  resource: ProviderResource,
  { uid, connectionId, isLost = false }: { uid: string; connectionId?: string | undefined; isLost?: boolean },
  by: string,
): RecordStart => {
  const recipient = recipientOf(resource, uid, connectionId);
  return {
    workflow: recipient.workflow,
    run: runStart(to, recipient, { by, end: undefined, isReopened: true, isLost }),
  };
};

/** Sends the update to the open run. @param start how to start a run with it if there is none; undefined if there is one. */
export const updateOrStart = <Answer, Args extends unknown[]>(
  { client }: Pick<Destination, 'client'>,
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
