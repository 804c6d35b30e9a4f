// Detects failure events that belong to an earlier attempt (docs/architecture.md#attempts). Pure.
import type { Fact } from '../facts/fact.js';

/** What we know about the failure of the current attempt. `shown`: only by a snapshot. */
type Failure = 'none' | 'shown' | 'published';

/**
 * The ids of `failed` events that belong to an earlier attempt. An attempt publishes at most one. If only a snapshot showed its failure, the
 * event may arrive after the next attempt has started. It must not end that attempt. If that one failed too, a snapshot shows it.
 * @param ordered facts in order.
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
