// Limits the facts that a run carries to the next one. Plain JSON and pure.
import { inOrder, isPublished, latest, type Fact } from '../../domain/facts/fact.js';
import { fold, type Lifecycle } from '../../domain/facts/fold.js';
import { surplusOver, withinBytes } from '../../domain/facts/retention.js';
import { addDropped } from '../../domain/facts/dropped-hashes.js';
import { openQuestions, type ResourceState } from './state.js';

/** How many facts we store in full. Of older ones we store hashes and the resulting state (docs/architecture.md#facts-and-state). */
const MAX_FACTS = 200;
/** Fewer if they exceed this size together, in bytes. */
const MAX_FACTS_BYTES = 192 * 1024;
/** More while one of them, or an older one, is an open question, but never more than this. */
const MAX_FACTS_WITH_OPEN_QUESTIONS = 300;

/**
 * Drops the oldest facts. The state that they led to and hashes of their ids remain. Open questions stay, reduced to id and type if necessary. If
 * there are too many, some are dropped: a look-up becomes due, and until its answer the state is in doubt.
 */
export function compact<State extends ResourceState>(lifecycle: Lifecycle<string>, state: State): State {
  const ordered = inOrder(state.facts);
  const open = openQuestions(lifecycle, state);
  const firstOpen = ordered.findIndex(({ id }) => open.includes(id));
  const surplus = Math.max(ordered.length - MAX_FACTS, surplusOver(ordered, MAX_FACTS_BYTES), 0);
  const closed = firstOpen === -1 ? surplus : Math.min(surplus, firstOpen);
  const cut = Math.max(closed, ordered.length - MAX_FACTS_WITH_OPEN_QUESTIONS);
  const short = cut === 0 ? { ...state, facts: ordered } : dropOldest(lifecycle, state, ordered, cut);
  const facts = withinBytes(short.facts, MAX_FACTS_BYTES);
  if (cut === 0 && facts.every((fact, index) => fact === ordered[index])) return state;
  return { ...short, facts, ...(cut > closed && { isLookUpDue: true, isDoubtful: true }) };
}

function dropOldest<State extends ResourceState>(
  lifecycle: Lifecycle<string>,
  state: State,
  ordered: readonly Fact[],
  cut: number,
): State {
  const surplus = ordered.slice(0, cut);
  const {
    state: start,
    since,
    sinceSource,
    causedBy,
    reason,
  } = fold(lifecycle, state.start, surplus, state.entered);
  return {
    ...state,
    start,
    entered: { since, sinceSource, causedBy, reason },
    facts: ordered.slice(cut),
    droppedHashes: addDropped(
      state.droppedHashes,
      surplus.map(({ id }) => id),
    ),
    droppedUntil: latest([
      state.droppedUntil,
      surplus.findLast((fact) => fact.authenticated && isPublished(fact))?.publishedAt,
    ]),
  };
}
