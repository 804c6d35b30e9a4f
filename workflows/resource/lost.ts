// The state of a resource whose last run has left none, from the view in its row. Plain JSON and pure.
import { restartSearch } from './submission/state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { ResourceView } from '../contracts/every-workflow.js';
import type { ResourceState } from './state.js';

/**
 * The state of a resource whose last run has left none: it was terminated, or the row is older or newer than its end. The provider is searched
 * for it before a command is accepted, and what it does not have is never sent.
 * @param requested as a request would begin.
 */
export const lostState = <State extends ResourceState>(
  requested: State,
  {
    state: start,
    stateSince: since,
    stateSinceSource: sinceSource,
    attention,
    submissions: count = 1,
  }: ResourceView<State['start']> & { submissions?: number },
  now: Instant,
): State =>
  restartSearch(
    {
      ...requested,
      ...{ start, entered: { since, sinceSource }, attention, isDoubtful: true, isLost: true },
      submission: { ...requested.submission, count },
    },
    now,
  );
