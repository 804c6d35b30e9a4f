// A request claims the uid of a run that only events have started. Plain JSON and pure.
import { openByNews } from './others.js';
import { isHint, withoutForeignAuthority, type ResourceState } from './state.js';
import { restartSearch } from './submission/state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { StateStore } from '../engine/reconcile.js';
import type { Runtime } from '../engine/runtime.js';

/**
 * Handles a claim. The first claim of a vacant run wins, and its answer shows who has the uid.
 * @param requested the first state of a run that the request would have started.
 */
export const claimBy = <State extends ResourceState, Input, View>(
  requested: (input: Input, now: Instant, vacant: State) => State,
  viewOf: (state: State) => View,
) => ({
  handle: ({ read, update }: StateStore<State>, { now }: Pick<Runtime, 'now'>, input: Input): View => {
    if (isVacant(read())) update((state) => claimed(state, requested(input, now(), state), now()));
    return viewOf(read());
  },
});

/** Only events name the uid. It was not requested, and no snapshot has shown it. */
export const isVacant = ({ isProven, submission: { stage } }: ResourceState): boolean =>
  isProven !== true && (stage === 'adopting' || stage === 'unknown');

/**
 * The events may be true, so the provider is searched before anything is sent. Hints by the secret of another connection are in the records, and
 * have no place among the facts. Events at the address of another connection count no more than any others that are not authenticated.
 */
function claimed<State extends ResourceState>(vacant: State, requested: State, now: Instant): State {
  const { openUntil, droppedHashes } = vacant;
  const facts = vacant.facts
    .filter((fact) => !isHint(requested, fact))
    .map((fact) => withoutForeignAuthority(requested, fact));
  const searching = restartSearch({ ...requested, facts, droppedHashes, openUntil }, now);
  const isPublished = facts.some(({ source, authenticated }) => source === 'webhook' && authenticated);
  return isPublished ? openByNews(searching) : searching;
}
