// How anything that is followed looks from outside: what is alike in each view, and what operators see in Temporal's UI. Pure.
import { published } from '../engine/publish.js';
import { attentionOf, foldedOf, lastFactAt } from './state.js';
import type { Lifecycle } from '../../../domain/facts/fold.js';
import type { Instant } from '../../../domain/facts/fact.js';
import type { ResourceView, ViewState } from '../contract.js';
import type { Published, WorkflowStatus } from '../engine/publish.js';
import type { ResourceState } from './state.js';

/** What is only being adopted is in no state yet, whatever was notified of it: none before the provider itself has shown it. */
function viewStateOf<LifecycleState extends string>(
  lifecycle: Lifecycle<LifecycleState>,
  state: ResourceState<LifecycleState>,
): ViewState<LifecycleState> {
  const { stage } = state.submission;
  if (stage === 'unknown') return 'unknown';
  return stage === 'adopting' ? state.start : foldedOf(lifecycle, state).state;
}

const sinceOf = <LifecycleState extends string>(
  lifecycle: Lifecycle<LifecycleState>,
  state: ResourceState<LifecycleState>,
): Instant | undefined =>
  state.submission.stage === 'adopting' ? undefined : foldedOf(lifecycle, state).since;

/** @param since when it began here, for a state that no fact has entered. */
export const resourceView = <LifecycleState extends string>(
  lifecycle: Lifecycle<LifecycleState>,
  state: ResourceState<LifecycleState>,
  since: Instant,
): ResourceView<LifecycleState> => ({
  uid: state.uid,
  connectionId: state.connectionId,
  state: viewStateOf(lifecycle, state),
  stateSince: sinceOf(lifecycle, state) ?? since,
  awaiting: state.awaiting,
  attention: attentionOf(state),
  lastFactAt: lastFactAt(state),
});

/** @param own what only this kind shows, given its state. @param stated the state, where it is not by its facts alone. */
export function publishedResource<LifecycleState extends string>(
  { noun, lifecycle }: { noun: string; lifecycle: Lifecycle<LifecycleState> },
  state: ResourceState<LifecycleState>,
  own: (viewState: ViewState<LifecycleState>) => Pick<WorkflowStatus, 'own' | 'notes'>,
  stated?: LifecycleState,
): Published {
  const viewState = stated ?? viewStateOf(lifecycle, state);
  return published({
    title: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${state.uid} is ${viewState}`,
    awaiting: state.awaiting,
    attention: attentionOf(state),
    connectionId: state.connectionId,
    lastFactAt: lastFactAt(state),
    ...own(viewState),
  });
}
