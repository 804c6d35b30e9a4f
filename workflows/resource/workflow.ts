// The body of each run of a resource's workflow.
import { flagCancelRequest } from '../engine/flags.js';
import { rememberEntity, runEntity, type EntityRun } from '../on-temporal/entity.js';
import { RUNTIME, continueOnCurrentRelease } from '../on-temporal/run.js';
import { carry, restoreState, type Carried, type ResourceEnd } from '../contracts/upgrade.js';
import { rememberedState } from './remembered.js';
import { keepOpen } from './reopened.js';
import { checkRule, checkSteps } from './unchecked.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { RunEnd } from '../engine/reconcile.js';
import type { ResourceWorkflow, WorkflowTypes } from './kit.js';

/** The workflow function. A run ends with the resource, or continues as new when it is long or a newer release is current. */
export function resourceWorkflow<T extends WorkflowTypes>(
  resource: ResourceWorkflow<T>,
  messages: T['messages'],
) {
  const settled = (state: T['state']): T['state'] => resource.settled?.(state) ?? state;
  const carriedAtEnd = (state: T['state']): Carried<T['state']> =>
    carry(resource.toCarry({ ...settled(state), blocked: undefined }));
  return async (input: T['input']): Promise<ResourceEnd<T['state']>> => {
    const { uid } = input;
    const end = await runOnce({ ...resource, ...checked(resource), carriedAtEnd }, messages, input);
    if (end.outcome === 'continue')
      return continueOnCurrentRelease<(next: typeof input) => Promise<ResourceEnd<T['state']>>>({
        uid,
        carried: carry(resource.toCarry(end.state)),
      });
    const view = resource.viewOf(settled(end.state));
    return {
      uid: view.uid,
      connectionId: view.connectionId,
      state: view.state,
      carried: carriedAtEnd(end.state),
    };
  };
}

/** The steps of the resource, and the check of an unchecked start beside them. */
const checked = <T extends WorkflowTypes>(
  resource: ResourceWorkflow<T>,
): Pick<ResourceWorkflow<T>, 'rules' | 'desiredSteps' | 'isOver'> => ({
  rules: { ...resource.rules, check_record: checkRule(resource.record.resource, RUNTIME.firstRunId) },
  desiredSteps: (state) => [...resource.desiredSteps(state), ...checkSteps(state)],
  isOver: (state) => checkSteps(state).length === 0 && resource.isOver(state),
});

/** @throws ApplicationFailure `gone` if its record has expired or was erased. */
function runOnce<T extends WorkflowTypes>(
  resource: ResourceWorkflow<T>,
  messages: T['messages'],
  input: T['input'],
): Promise<RunEnd<T['state']>> {
  const { uid, carried, isReopened, readsRecord } = input;
  const begin = (now: Instant): T['state'] =>
    keepOpen(
      restoreState<T['state']>(carried as Carried<T['state']> | undefined, () => ({
        ...resource.begin(input, now),
        ...(input.isUnchecked === true && { isUnchecked: true }),
      })),
      isReopened,
      now,
    );
  const run: EntityRun<T['state'], T['step'], T['messages']> = {
    ...{ definition: resource, messages, handlers: resource.handlers, begin },
    cancelRequested: flagCancelRequest(resource.insteadOfCancelling.replace('{uid}', uid)),
  };
  return readsRecord === true
    ? rememberEntity(run, { uid, restore: (row, of) => rememberedState(resource, input, row, of) })
    : runEntity(run);
}
