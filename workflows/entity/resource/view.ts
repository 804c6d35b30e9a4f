// How anything that is followed looks from outside: what is alike in each view, and what operators see in Temporal's UI. Pure.
import { published } from '../engine/publish.js';
import { attentionOf, foldedOf, lastFactAt } from './state.js';
import type { Life } from '../../../domain/facts/fold.js';
import type { Instant } from '../../../domain/facts/fact.js';
import type { FollowedView, ViewState } from '../contract.js';
import type { Published, Standing } from '../engine/publish.js';
import type { Followed } from './state.js';

/** What is only being adopted is in no state yet, whatever was notified of it: none before the provider itself has shown it. */
function viewStateOf<LifeState extends string>(
  life: Life<LifeState>,
  state: Followed<LifeState>,
): ViewState<LifeState> {
  const { stage } = state.submission;
  if (stage === 'unknown') return 'unknown';
  return stage === 'adopting' ? state.start : foldedOf(life, state).state;
}

const sinceOf = <LifeState extends string>(
  life: Life<LifeState>,
  state: Followed<LifeState>,
): Instant | undefined => (state.submission.stage === 'adopting' ? undefined : foldedOf(life, state).since);

/** @param since when it began here, for a state that no fact has entered. */
export const followedView = <LifeState extends string>(
  life: Life<LifeState>,
  state: Followed<LifeState>,
  since: Instant,
): FollowedView<LifeState> => ({
  uid: state.uid,
  connectionId: state.connectionId,
  state: viewStateOf(life, state),
  stateSince: sinceOf(life, state) ?? since,
  awaiting: state.awaiting,
  attention: attentionOf(state),
  lastFactAt: lastFactAt(state),
});

/** @param own what only this kind shows, given its state. @param stated the state, where it is not by its facts alone. */
export function followedPublished<LifeState extends string>(
  { noun, life }: { noun: string; life: Life<LifeState> },
  state: Followed<LifeState>,
  own: (viewState: ViewState<LifeState>) => Pick<Standing, 'own' | 'notes'>,
  stated?: LifeState,
): Published {
  const viewState = stated ?? viewStateOf(life, state);
  return published({
    title: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${state.uid} is ${viewState}`,
    awaiting: state.awaiting,
    attention: attentionOf(state),
    connectionId: state.connectionId,
    lastFactAt: lastFactAt(state),
    ...own(viewState),
  });
}
