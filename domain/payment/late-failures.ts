// Which events say once more what an attempt before had come to (docs/architecture.md#attempts). Pure.
import type { Fact } from '../facts/fact.js';

/** How the current attempt has failed, as far as is known. */
type Failure = 'none' | 'shown' | 'published';

/**
 * The ids of `failed` events that belong to an attempt before the one during which they stand. An attempt publishes at most one. Where only a
 * snapshot had shown that it failed, its own event may come after the next attempt has begun, and must not end that one. Whether that next
 * one has failed, a snapshot shows then as well.
 * @param ordered facts in the order in which they happened.
 */
export function repeatedFailures(ordered: readonly Fact[]): ReadonlySet<string> {
  const repeats = new Set<string>();
  let failure: Failure = 'none';
  let unpublished = 0;
  for (const { id, type, state, authenticated } of ordered) {
    if (!authenticated) continue;
    if (type === 'observed' && state === 'failed' && failure === 'none') failure = 'shown';
    else if (type === 'retried') {
      if (failure === 'shown') unpublished += 1;
      failure = 'none';
    } else if (type === 'failed') {
      if (failure === 'none' && unpublished > 0) {
        unpublished -= 1;
        repeats.add(id);
      } else failure = 'published';
    }
  }
  return repeats;
}
