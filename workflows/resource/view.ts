// What all resource workflows show: the shared part of their views, and their status in Temporal's UI. Pure.
import { happenedAt, inOrder, type Fact, type Instant } from '../../domain/facts/fact.js';
import { published, readable, type Published, type WorkflowStatus } from '../engine/publish.js';
import { attentionOf, foldedOf, lastFactAt, type ResourceState } from './state.js';
import type { Entered, Lifecycle } from '../../domain/facts/fold.js';
import type { ResourceView, ViewState } from '../contracts/every-workflow.js';

/** The state to show. A resource that is being adopted is shown in its start state until a snapshot has shown it. */
export function viewStateOf<LifecycleState extends string>(
  lifecycle: Lifecycle<LifecycleState>,
  state: ResourceState<LifecycleState>,
): ViewState<LifecycleState> {
  const { stage } = state.submission;
  if (stage === 'unknown') return 'unknown';
  return stage === 'adopting' ? state.start : foldedOf(lifecycle, state).state;
}

const enteredOf = <LifecycleState extends string>(
  lifecycle: Lifecycle<LifecycleState>,
  state: ResourceState<LifecycleState>,
): Entered => (state.submission.stage === 'adopting' ? {} : foldedOf(lifecycle, state));

/** The shared part of a resource's view. @param since when the workflow started, for a state that no fact has entered. */
export const resourceView = <LifecycleState extends string>(
  lifecycle: Lifecycle<LifecycleState>,
  state: ResourceState<LifecycleState>,
  since: Instant,
): ResourceView<LifecycleState> => {
  const entered = enteredOf(lifecycle, state);
  return {
    uid: state.uid,
    connectionId: state.connectionId,
    state: viewStateOf(lifecycle, state),
    stateSince: entered.since ?? since,
    stateSinceSource: entered.sinceSource,
    awaiting: state.awaiting,
    attention: attentionOf(state),
    lastFactAt: lastFactAt(state),
  };
};

/** @param viewState as in its view. @param own the attributes and notes of this kind of resource. */
export const publishedResource = (
  noun: string,
  state: ResourceState,
  viewState: string,
  own: Pick<WorkflowStatus, 'own' | 'notes'>,
): Published =>
  published({
    title: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${state.uid} is ${viewState}`,
    awaiting: state.awaiting,
    attention: attentionOf(state),
    connectionId: state.connectionId,
    ...own,
  });

/** The facts as notes, in the provider's order. */
export const factNotes = (
  facts: readonly Fact[],
  inShort = (fact: Fact): string => fact.state ?? fact.type,
): string[] =>
  inOrder(facts).map((fact) => `${inShort(fact)}, ${readable(happenedAt(fact))}, source: ${fact.source}`);

/** How often it was sent, as a note. */
export const sentNote = (count: number): string =>
  `sent to the provider ${count === 1 ? 'once' : `${count} times`}, always under this uid`;
