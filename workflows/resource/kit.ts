// What all resources of the provider share besides their steps: the handlers, the records, and what a run needs of them. workflow.ts has the body
// of a run. Pure.
import { attentionOf, foldedOf, type ResourceState, type ResourceTypes } from './state.js';
import { compact } from './compact.js';
import { validateResolution } from './attention.js';
import { isVacant } from './claim.js';
import { requestLookUp } from './others.js';
import { viewStateOf } from './view.js';
import { unblock, updateState, type Handlers, type Messages } from '../engine/handlers.js';
import { refused } from '../engine/refusal.js';
import { attentionChanges, factChanges, stateChange } from '../engine/changes.js';
import {
  RESOURCES,
  hasEnded,
  type EventResource,
  type ProviderResource,
  type ResourceName,
} from '../../domain/resources.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';
import type { Lifecycle } from '../../domain/facts/fold.js';
import type { AttentionResolution } from '../../domain/attention/resolution.js';
import type { Carried, ResourceEnd } from '../contracts/upgrade.js';
import type { EntityDefinition } from '../engine/reconcile.js';
import type { Change, RecordDefinition } from '../engine/recording.js';
import type { AnyStep } from '../engine/step.js';

/** The types of one kind of resource and of its workflow. */
export interface WorkflowTypes extends ResourceTypes {
  step: AnyStep;
  input: RunInput;
  view: Pick<ResourceEnd<object>, 'uid' | 'connectionId' | 'state'>;
  messages: Messages;
}

/** What the inputs of all runs have in common. */
interface RunInput {
  uid: string;
  connectionId?: string | undefined;
  /** The state of the previous run, set by continue-as-new, and by an event after the end. */
  carried?: Carried<object> | undefined;
  /** The previous run had ended. */
  isReopened?: boolean | undefined;
  /** An event or a command has started the run without a state. So it reads its record first: Temporal may have forgotten an earlier run. */
  readsRecord?: boolean | undefined;
  /** The latest run was terminated, or has failed. What an earlier one has left in the record may lack what that one did. */
  isLost?: boolean | undefined;
  /** The records were away when it was requested, so another one may have had its uid before (unchecked.ts). */
  isUnchecked?: boolean | undefined;
}

/** The workflow of one kind of resource. */
export interface ResourceWorkflow<T extends WorkflowTypes> extends EntityDefinition<T['state'], T['step']> {
  handlers: Handlers<T['state'], T['messages']>;
  begin(input: T['input'], now: Instant): T['state'];
  viewOf(state: T['state']): T['view'];
  /** The state from a view alone (`lostState`). */
  lost(this: void, view: T['view'], ids: { uid: string; connectionId: string }, now: Instant): T['state'];
  /** The state for the next run, within Temporal's payload limit. */
  toCarry(this: void, state: T['state']): T['state'];
  /** The last state of an ended run. By default the state as it is. */
  settled?(state: T['state']): T['state'];
  /** What does the thing that a person wanted who clicked "Request Cancellation" in Temporal's UI, which cancels nothing. */
  insteadOfCancelling: string;
}

/** As `ResourceWorkflow.toCarry`, for a state whose only unlimited part is its facts. */
export const carrying =
  (lifecycle: Lifecycle<string>) =>
  <State extends ResourceState>(state: State): State =>
    compact(lifecycle, state);

/** The handlers of a resource that events can name. */
export const followedHandlers = <State extends ResourceState, View>(
  noun: EventResource,
  {
    applyFact,
    resolveFlag,
    viewOf,
  }: {
    applyFact: (state: State, fact: Fact, now: Instant) => State;
    /** Expects a resolution that passed `validateResolution`. A repeat changes nothing. */
    resolveFlag: (state: State, resolution: AttentionResolution, now: Instant) => State;
    viewOf: (state: State) => View;
  },
) => ({
  fact: updateState(applyFact),
  // The sweep has just read from the provider, so the connection has consent again.
  differs: updateState((state: State) => requestLookUp(unblock(state))),
  connectionRestored: updateState(unblock<State>),
  lookUpNow: { validate: lookUpValidator(noun), ...updateState(requestLookUp<State>) },
  resolveAttention: { validate: validateResolution, ...updateState(resolveFlag) },
  view: { read: viewOf },
});

/**
 * The validator throws an ApplicationFailure `<noun>_unknown` if the provider did not have the resource for a whole day, and `<noun>_final` if it
 * has ended and is not there: a look-up would never find it. While the state is in doubt, it may be there.
 */
export const lookUpValidator =
  (noun: ProviderResource) =>
  (state: ResourceState): void => {
    if (state.submission.stage === 'unknown')
      throw refused(`${noun}_unknown`, `The provider does not know this ${noun}.`);
    const isReceived =
      state.isProven === true ||
      state.isDoubtful === true ||
      state.facts.some(({ source }) => source !== 'command');
    if (!isReceived && hasEnded(noun, foldedOf(RESOURCES[noun].provider.lifecycle, state).state))
      throw refused(`${noun}_final`, `This ${noun} has ended, and the provider does not have it.`);
  };

interface ResourceRecords<State> {
  viewOf: (state: State) => object;
  /** The decisions that only this resource makes. */
  ownChanges?: (before: State | undefined, after: State) => Change[];
}

/** What it records: facts, states, flags, submissions, and its own decisions. */
export const recordOfResource = <State extends ResourceState>(
  resource: ResourceName,
  lifecycle: Lifecycle<string>,
  { viewOf, ownChanges }: ResourceRecords<State>,
): RecordDefinition<State> => ({
  resource,
  // Only an event has named the connection of a vacant uid. A row keeps its first connection, so it has none until then.
  idsOf: (state) => ({ uid: state.uid, connectionId: isVacant(state) ? undefined : state.connectionId }),
  viewOf,
  factsOf: ({ facts }) => facts,
  changes: (before, after) => {
    const { since, causedBy, reason } = foldedOf(lifecycle, after);
    const stateIn = (state: State): string => viewStateOf(lifecycle, state);
    const isVacantNow = isVacant(after);
    const data = { since, causedBy, reason, ...(isVacantNow && { isVacant: true }) };
    return [
      ...factChanges(before?.facts, after.facts),
      ...factChanges(before?.unplaced, after.unplaced ?? []),
      ...(ownChanges?.(before, after) ?? []),
      ...submissionChange(before, after),
      ...followedChange(before, isVacantNow),
      ...stateChange(before && stateIn(before), stateIn(after), data),
      ...attentionChanges(before && attentionOf(before), attentionOf(after)),
    ];
  },
});

/** Until then only events have named it. */
const followedChange = (before: ResourceState | undefined, isVacantNow: boolean): Change[] =>
  before !== undefined && isVacant(before) && !isVacantNow
    ? [{ kind: 'decision', name: 'followed', data: {} }]
    : [];

/** A new stage of its submission, or another submission. */
function submissionChange(
  before: Pick<ResourceState, 'submission'> | undefined,
  { submission }: Pick<ResourceState, 'submission'>,
): Change[] {
  const { stage, count } = submission;
  if (stage === before?.submission.stage && count === before.submission.count) return [];
  return [{ kind: 'decision', name: `submission_${stage}`, data: submission }];
}
