// The state of a resource whose last run has left none, from the view in its row. Plain JSON and pure.
import { restartSearch } from './submission/state.js';
import type { AttentionCode } from '../../domain/attention/flags.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { ResourceView } from '../contracts/every-workflow.js';
import type { ResourceState } from './state.js';

/** A view also shows the flag of what blocked the run. Nothing else raises these. */
const OF_BLOCKED: ReadonlySet<AttentionCode> = new Set<AttentionCode>(['needs_reauthorisation', 'forbidden']);

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
      ...{ start, entered: { since, sinceSource }, isDoubtful: true, isLost: true },
      // If the provider still refuses, the search raises them again.
      attention: attention.filter(({ code }) => !OF_BLOCKED.has(code)),
      submission: { ...requested.submission, count },
    },
    now,
  );
