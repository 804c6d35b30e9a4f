// What a host needs of a resource: how its runs begin, end and continue, as workflows/resource/workflow.ts does it.
import { carry } from '../../workflows/contracts/upgrade.js';
import { rememberedState } from '../../workflows/resource/remembered.js';
import type { ResourceWorkflow, WorkflowTypes } from '../../workflows/resource/kit.js';
import type { Given } from './host.js';
import type { Rules } from './rules.js';

type Followed<T extends WorkflowTypes> = Required<
  Pick<Given<T['state'], T['step']>, 'definition' | 'initial' | 'carriedOver' | 'ended' | 'remember'>
>;

/** @param input of its first run. A run after one that Temporal has forgotten has only its uid. */
export function followed<T extends WorkflowTypes>(
  resource: ResourceWorkflow<T>,
  input: T['input'],
  { remembers }: Pick<Rules, 'remembers'>,
  localNow: () => string,
): Followed<T> {
  const { uid, connectionId } = input;
  const ended = (state: T['state']): T['state'] => ({
    ...(resource.settled?.(state) ?? state),
    blocked: undefined,
  });
  return {
    definition: { ...resource, carriedAtEnd: (state) => carry(resource.toCarry(ended(state))) },
    initial: resource.begin(input, localNow()),
    carriedOver: resource.toCarry,
    ended,
    remember: (row) =>
      remembers
        ? rememberedState(resource, { uid }, row, { now: localNow(), firstRunId: 'run' })
        : resource.begin({ uid, connectionId }, localNow()),
  };
}
