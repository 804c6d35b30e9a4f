// The body of each run of a resource's workflow.
import { flagCancelRequest } from '../engine/flags.js';
import { continueOnCurrentRelease, runEntity } from '../on-temporal/run.js';
import { carry, restoreState } from '../contracts/upgrade.js';
import { keepOpen } from './reopened.js';
import type { Carried } from '../contracts/upgrade.js';
import type { ResourceWorkflow, WorkflowTypes } from './kit.js';

/** The result of a run: the view, and the state for a later run. */
type End<T extends WorkflowTypes> = T['view'] & { carried: Carried<T['state']> };

/** The workflow function. A run ends with the resource, or continues as new when it is long or a newer release is current. */
export const resourceWorkflow =
  <T extends WorkflowTypes>(resource: ResourceWorkflow<T>, messages: T['messages']) =>
  async (input: T['input']): Promise<End<T>> => {
    const { uid, carried, isReopened } = input;
    const { outcome, state } = await runEntity({
      definition: resource,
      messages,
      handlers: resource.handlers,
      begin: (now) =>
        keepOpen(
          restoreState<T['state']>(carried as Carried<T['state']> | undefined, () =>
            resource.begin(input, now),
          ),
          isReopened,
          now,
        ),
      cancelRequested: flagCancelRequest(resource.insteadOfCancelling.replace('{uid}', uid)),
    });
    if (outcome === 'continue')
      return continueOnCurrentRelease<(next: typeof input) => Promise<End<T>>>({
        uid,
        carried: carry(resource.toCarry(state)),
      });
    const last = resource.settled?.(state) ?? state;
    return { ...resource.viewOf(last), carried: carry(resource.toCarry({ ...last, blocked: undefined })) };
  };
