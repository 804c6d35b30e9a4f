// What all resources of the provider record: facts, states, flags, and submissions. Each adds its own decisions.
import { attentionOf, foldedOf } from './state.js';
import { viewStateOf } from './view.js';
import { attentionChanges, factChanges, stateChange } from '../engine/changes.js';
import type { Lifecycle } from '../../domain/facts/fold.js';
import type { ResourceName } from '../../domain/resources.js';
import type { ResourceState } from './state.js';
import type { Change, RecordDefinition } from '../engine/recording.js';

interface ResourceRecords<LifecycleState extends string, State extends ResourceState<LifecycleState>> {
  resource: ResourceName;
  lifecycle: Lifecycle<LifecycleState>;
  viewOf: (state: State) => object;
  /** The state, if it does not follow from the facts alone. */
  statedOf?: (state: State) => string | undefined;
  /** The decisions that only this resource makes. */
  ownChanges?: (before: State | undefined, after: State) => Change[];
}

export function recordOfResource<LifecycleState extends string, State extends ResourceState<LifecycleState>>({
  resource,
  lifecycle,
  viewOf,
  statedOf,
  ownChanges,
}: ResourceRecords<LifecycleState, State>): RecordDefinition<State> {
  const stateOf = (state: State): string => statedOf?.(state) ?? viewStateOf(lifecycle, state);
  return {
    resource,
    idsOf: ({ uid, connectionId }) => ({ uid, connectionId }),
    viewOf,
    factsOf: ({ facts }) => facts,
    changes: (before, after) => {
      const { since, causedBy, reason } = foldedOf(lifecycle, after);
      return [
        ...factChanges(before?.facts, after.facts),
        ...factChanges(before?.unplaced, after.unplaced ?? []),
        ...(ownChanges?.(before, after) ?? []),
        ...submissionChange(before, after),
        ...stateChange(before && stateOf(before), stateOf(after), { since, causedBy, reason }),
        ...attentionChanges(before && attentionOf(before), attentionOf(after)),
      ];
    },
  };
}

/** A new stage of its submission, or another submission. */
function submissionChange(
  before: Pick<ResourceState<string>, 'submission'> | undefined,
  { submission }: Pick<ResourceState<string>, 'submission'>,
): Change[] {
  const { stage, count } = submission;
  if (stage === before?.submission.stage && count === before.submission.count) return [];
  return [{ kind: 'decision', name: `submission_${stage}`, data: submission }];
}
